# The `plan` command; included by CMakeLists.txt of this folder.
fremis_add_library(plan_command
  SOURCES plan_command.cpp plan_help.cpp plan_input.cpp plan_options.cpp plan_view.cpp text_table.cpp
  PUBLIC Fremis::routing
  PRIVATE Fremis::wire)
