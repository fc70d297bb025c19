#include "tests/support/failing_disk.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <new>

namespace fremis::test {

FailingDisk::FailingDisk(std::string folder, std::string controlFile)
    : m_folder(std::move(folder)), m_controlFile(std::move(controlFile)) {
    std::ofstream(m_controlFile) << std::string(sizeof(IoFaultControl), '\0');
    const int fd = ::open(m_controlFile.c_str(), O_RDWR | O_CLOEXEC);
    void* const place = ::mmap(nullptr, sizeof(IoFaultControl), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd < 0 || place == MAP_FAILED)
        std::abort(); // no test can go on without
    ::close(fd);
    m_control = new (place) IoFaultControl;
}

FailingDisk::~FailingDisk() {
    ::munmap(m_control, sizeof(IoFaultControl));
}

std::map<std::string, std::string> FailingDisk::environment() const {
    return {{"LD_PRELOAD", FREMIS_IOFAULT_LIBRARY},
            {"FREMIS_IOFAULT_CONTROL", m_controlFile},
            {"FREMIS_IOFAULT_PATH", m_folder}};
}

void FailingDisk::begin(IoFaultControl::Kind kind, int passing) {
    m_control->hits = 0;
    m_control->passing = passing;
    m_control->kind = kind;
}

} // namespace fremis::test
