#include "shared/base/log.h"
#include "shared/storage/migrations.h"

namespace fremis::storage {

void logMigrated(std::string_view store, std::int64_t from, std::int64_t to) {
    if (from == 0 || from == to)
        return;
    base::log(
        base::LogLevel::Warning, "store_migrated",
        {{"store", store},
         {"from_schema", from},
         {"to_schema", to},
         {"hint", "older versions of the program refuse this store now; a way back needs the backup made before"}});
}

} // namespace fremis::storage
