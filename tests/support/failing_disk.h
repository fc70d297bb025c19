#pragma once

#include "tests/support/iofault.h"

#include <map>
#include <string>

namespace fremis::test {

/// The disk under a folder, for a process that is started with environment(): it fails when it is told to. Thread: any.
class FailingDisk {
public:
    /// `controlFile`: a new file beside the folder.
    FailingDisk(std::string folder, std::string controlFile);
    ~FailingDisk();
    FailingDisk(const FailingDisk&) = delete;
    FailingDisk& operator=(const FailingDisk&) = delete;

    [[nodiscard]] std::map<std::string, std::string> environment() const;
    void fill() { begin(IoFaultControl::WriteFull, 0); }
    /// Every sync fails, but for the first ones.
    void failSyncs(int passing = 0) { begin(IoFaultControl::SyncError, passing); }
    /// No sync returns until mend().
    void holdSyncs() { begin(IoFaultControl::SyncHangs, 0); }
    void mend() { m_control->kind = IoFaultControl::None; }
    /// Something has failed since it was told to.
    [[nodiscard]] bool hasStruck() const { return m_control->hits > 0; }

private:
    void begin(IoFaultControl::Kind kind, int passing);

    const std::string m_folder;
    const std::string m_controlFile;
    IoFaultControl* m_control = nullptr;
};

} // namespace fremis::test
