#include "coordinator/cluster/known_nodes.h"

#include "shared/storage/durable_file.h"
#include "shared/wire/internal.h"

#include <fstream>
#include <sstream>

namespace fremis::coordinator {

base::Result<KnownNodes> KnownNodes::load(std::filesystem::path file) {
    KnownNodes known(std::move(file));
    std::ifstream stream(known.m_file);
    std::string line;
    while (std::getline(stream, line)) {
        std::istringstream words(line);
        std::string id;
        std::string address;
        words >> id >> address;
        const auto node = wire::internal::parseId(id);
        if (!node || address.empty())
            return base::fail(base::Reason::BadStore, known.m_file.string() + " is damaged; remove it");
        known.m_nodes[address] = *node;
    }
    return known;
}

std::optional<storage::NodeId> KnownNodes::at(const routing::Address& address) const {
    const auto found = m_nodes.find(address.key());
    return found == m_nodes.end() ? std::nullopt : std::optional(found->second);
}

base::Status KnownNodes::remember(const routing::Address& address, const storage::NodeId& node) {
    const auto [at, fresh] = m_nodes.try_emplace(address.key(), node);
    if (!fresh && at->second == node)
        return {};
    at->second = node;
    std::string text;
    for (const auto& [key, id] : m_nodes)
        text += storage::hexOf(id) + " " + key + "\n";
    return storage::writePrivateFile(m_file, text);
}

} // namespace fremis::coordinator
