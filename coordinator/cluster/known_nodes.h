#pragma once

#include "shared/base/error.h"
#include "shared/routing/address.h"
#include "shared/storage/node_id.h"

#include <filesystem>
#include <map>
#include <optional>

namespace fremis::coordinator {

/// Which node was last seen at which address, kept in a file: a coordinator that starts while a worker is away can
/// still queue writes for it. Thread: one.
class KnownNodes {
public:
    /// A missing file knows nobody; a damaged one is BadStore.
    [[nodiscard]] static base::Result<KnownNodes> load(std::filesystem::path file);

    [[nodiscard]] std::optional<storage::NodeId> at(const routing::Address& address) const;
    /// Durable when it returns; costs nothing when nothing changes.
    [[nodiscard]] base::Status remember(const routing::Address& address, const storage::NodeId& node);

private:
    explicit KnownNodes(std::filesystem::path file) : m_file(std::move(file)) {}

    std::filesystem::path m_file;
    std::map<std::string, storage::NodeId> m_nodes; ///< by Address::key()
};

} // namespace fremis::coordinator
