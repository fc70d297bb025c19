# One package for each component; see linux/check-packages for the gates they pass.
set(CPACK_PACKAGE_NAME fremis-n)
set(CPACK_PACKAGE_VENDOR "FREMIS-N")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL server)
if(TARGET fremis_n_console)
  list(APPEND CPACK_COMPONENTS_ALL console)
endif()
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(FREMIS_SERVER_SUMMARY "face search server: workers, coordinator and their tools")
set(FREMIS_SERVER_TEXT "Finds the faces in a photo, turns each into an embedding, and searches the
enrolled ones over a REST API, on one machine or on a cluster of workers with
replicas behind a coordinator. Photos are not stored, and no outside service
is contacted. The face models are fetched after the installation, with one
command.")
set(FREMIS_CONSOLE_SUMMARY "operator's desktop of a FREMIS-N face search cluster")
set(FREMIS_CONSOLE_TEXT "Shows which worker owns which partitions, what is loaded and what waits to be
written, edits and checks the map of the cluster, plans changes with the
fewest moves, and tries enrolment and search.")

# --- DEB ------------------------------------------------------------------------------------------------------------------------
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_COMPONENT_SERVER_DESCRIPTION "${FREMIS_SERVER_SUMMARY}\n${FREMIS_SERVER_TEXT}")
set(CPACK_DEBIAN_SERVER_PACKAGE_NAME fremis-n-server)
set(CPACK_DEBIAN_SERVER_PACKAGE_SECTION net)
# curl fetches the models; procps has the units' kill; the standalone programs make user and folders where systemd is not installed.
set(CPACK_DEBIAN_SERVER_PACKAGE_DEPENDS "debconf (>= 0.5) | debconf-2.0, curl, ca-certificates, procps, \
systemd | systemd-standalone-sysusers, systemd | systemd-standalone-tmpfiles")
set(CPACK_DEBIAN_SERVER_PACKAGE_SUGGESTS "postgresql, python3, fremis-n-console")
set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA
  ${CMAKE_CURRENT_LIST_DIR}/debian/config ${CMAKE_CURRENT_LIST_DIR}/debian/templates ${CMAKE_CURRENT_LIST_DIR}/debian/postinst
  ${CMAKE_CURRENT_LIST_DIR}/debian/prerm ${CMAKE_CURRENT_LIST_DIR}/debian/postrm)

set(CPACK_COMPONENT_CONSOLE_DESCRIPTION "${FREMIS_CONSOLE_SUMMARY}\n${FREMIS_CONSOLE_TEXT}")
set(CPACK_DEBIAN_CONSOLE_PACKAGE_NAME fremis-n-console)
set(CPACK_DEBIAN_CONSOLE_PACKAGE_SECTION net)
# Plugins are loaded at run time, where no dependency can be seen.
set(CPACK_DEBIAN_CONSOLE_PACKAGE_DEPENDS "libqt6svg6, qt6-image-formats-plugins")
set(CPACK_DEBIAN_CONSOLE_PACKAGE_RECOMMENDS "qt6-wayland, gnome-keyring | kwalletmanager")
set(CPACK_DEBIAN_CONSOLE_PACKAGE_SUGGESTS fremis-n-server)

# --- RPM ------------------------------------------------------------------------------------------------------------------------
set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE "GPL-3.0-only")
set(CPACK_RPM_PACKAGE_RELEASE 1)
set(CPACK_RPM_PACKAGE_RELOCATABLE OFF) # the units name their program by its whole path
set(CPACK_RPM_SERVER_PACKAGE_NAME fremis-n-server)
set(CPACK_RPM_SERVER_PACKAGE_SUMMARY "${FREMIS_SERVER_SUMMARY}")
set(CPACK_RPM_SERVER_PACKAGE_DESCRIPTION "${FREMIS_SERVER_TEXT}")
set(CPACK_RPM_SERVER_PACKAGE_REQUIRES "systemd, curl, ca-certificates, bash")
set(CPACK_RPM_SERVER_POST_INSTALL_SCRIPT_FILE "${CMAKE_CURRENT_LIST_DIR}/rpm/post")
set(CPACK_RPM_SERVER_PRE_UNINSTALL_SCRIPT_FILE "${CMAKE_CURRENT_LIST_DIR}/rpm/preun")
set(CPACK_RPM_CONSOLE_PACKAGE_NAME fremis-n-console)
set(CPACK_RPM_CONSOLE_PACKAGE_SUMMARY "${FREMIS_CONSOLE_SUMMARY}")
set(CPACK_RPM_CONSOLE_PACKAGE_DESCRIPTION "${FREMIS_CONSOLE_TEXT}")
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
  /usr/lib/systemd /usr/lib/systemd/system /usr/lib/sysusers.d /usr/lib/tmpfiles.d /usr/share/metainfo /usr/share/applications
  /usr/share/icons /usr/share/icons/hicolor /usr/share/icons/hicolor/scalable /usr/share/icons/hicolor/scalable/apps
  /usr/share/man /usr/share/man/man1 /usr/share/doc)

include(CPack)
