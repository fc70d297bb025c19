# `fremis_n_app ring`: the command line of shared/hashing, a library of its own so that tests reach it without main().
fremis_add_library(toolkit_ring
  SOURCES
    ring_command.cpp
    ring_demo_reports.cpp
    ring_demos.cpp
    ring_diff.cpp
    ring_files.cpp
    ring_help.cpp
    ring_locate.cpp
    ring_options.cpp
    ring_output.cpp
    ring_report.cpp
    ring_svg.cpp
  PUBLIC Fremis::base Fremis::hashing
  PRIVATE Fremis::routing)
