# Components: server, and console when the program is built.
include(GNUInstallDirs)

find_program(FREMIS_GZIP gzip REQUIRED)
set(FREMIS_PACKAGE_DIR "${CMAKE_CURRENT_BINARY_DIR}/linux")

# Packages made twice from the same source are the same: their date is that of the changelog, not of the build.
file(STRINGS "${PROJECT_SOURCE_DIR}/CHANGELOG.md" FREMIS_RELEASE_DATE REGEX "^## .*[0-9]+-[0-9]+-[0-9]+" LIMIT_COUNT 1)
string(REGEX MATCH "[0-9]+-[0-9]+-[0-9]+" FREMIS_RELEASE_DATE "${FREMIS_RELEASE_DATE}")
if(NOT FREMIS_RELEASE_DATE)
  string(TIMESTAMP FREMIS_RELEASE_DATE "%Y-%m-%d" UTC) # not released yet
endif()
execute_process(COMMAND env LC_ALL=C date --utc -R -d "${FREMIS_RELEASE_DATE}" OUTPUT_VARIABLE FREMIS_PACKAGE_DATE
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(CPACK_PACKAGE_CONTACT "FREMIS-N packages <packages@fremis-n.invalid>" CACHE STRING "Maintainer that the packages name")

# fremis_compress(<file> <name.gz>): under FREMIS_PACKAGE_DIR, without name and time inside.
function(fremis_compress file name)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  execute_process(COMMAND "${FREMIS_GZIP}" -9nc "${file}" OUTPUT_FILE "${FREMIS_PACKAGE_DIR}/${name}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# fremis_install_common(<component> <program> <man page>): what every package has.
function(fremis_install_common component program)
  set(FREMIS_PACKAGE "fremis-n-${component}")
  set(folder "${FREMIS_PACKAGE_DIR}/${component}")
  file(MAKE_DIRECTORY "${folder}")
  configure_file("${CMAKE_CURRENT_SOURCE_DIR}/linux/debian/changelog.in" "${folder}/changelog" @ONLY)
  fremis_compress("${folder}/changelog" "${component}/changelog.gz")
  fremis_compress("${CMAKE_CURRENT_SOURCE_DIR}/linux/man/${program}.1" "${component}/${program}.1.gz")
  install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${component})
  install(FILES "${folder}/${program}.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT ${component})
  install(FILES linux/debian/copyright "${folder}/changelog.gz" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
    DESTINATION "share/doc/${FREMIS_PACKAGE}" COMPONENT ${component})
endfunction()

fremis_install_common(server fremis_n_app)
install(FILES linux/server/fremis-worker@.service linux/server/fremis-coordinator.service
  DESTINATION lib/systemd/system COMPONENT server)
install(FILES linux/server/fremis-n.sysusers DESTINATION lib/sysusers.d RENAME fremis-n.conf COMPONENT server)
install(FILES linux/server/fremis-n.tmpfiles DESTINATION lib/tmpfiles.d RENAME fremis-n.conf COMPONENT server)
install(PROGRAMS linux/fetch-model-pack linux/convert-dlib128.py DESTINATION lib/fremis-n COMPONENT server)
foreach(pack fp-mfn512 dlib128)
  install(FILES "${PROJECT_SOURCE_DIR}/resources/model-packs/${pack}/pack.yaml" DESTINATION "share/fremis-n/manifests/${pack}"
    COMPONENT server)
endforeach()
install(FILES linux/server/worker.env linux/server/coordinator.env linux/server/config.yml linux/server/credentials.conf
  "${PROJECT_SOURCE_DIR}/resources/config/client-keys.yml" "${PROJECT_SOURCE_DIR}/resources/config/cluster-replicated.example.yml"
  DESTINATION share/doc/fremis-n-server/examples COMPONENT server)
file(GLOB FREMIS_GUIDES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/resources/docs/*.md")
install(FILES ${FREMIS_GUIDES} DESTINATION share/doc/fremis-n-server COMPONENT server)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/resources/docs/images" DESTINATION share/doc/fremis-n-server COMPONENT server)

if(TARGET fremis_n_console)
  fremis_install_common(console fremis_n_console)
  set(FREMIS_APPSTREAM_FILE "${FREMIS_PACKAGE_DIR}/io.github.fremis_n.console.metainfo.xml")
  configure_file(linux/console/io.github.fremis_n.console.metainfo.xml.in "${FREMIS_APPSTREAM_FILE}" @ONLY)
  install(FILES "${FREMIS_APPSTREAM_FILE}" DESTINATION share/metainfo COMPONENT console)
  install(FILES linux/console/fremis-n-console.desktop DESTINATION share/applications COMPONENT console)
  install(FILES "${PROJECT_SOURCE_DIR}/resources/icons/fremis-n-console.svg" DESTINATION share/icons/hicolor/scalable/apps
    COMPONENT console)
endif()
