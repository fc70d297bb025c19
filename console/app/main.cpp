#include "console/ui/shell/program.h"

int main(int argc, char** argv) {
    return fremis::console::ui::runConsole(argc, argv);
}
