# Fremis::opencv: OpenCV's core, imgproc and dnn, and nothing else. find_package(OpenCV) is not used: its CMake files come with
# libopencv-dev, which wants all of OpenCV, and imgcodecs alone would load 120 more libraries (GDAL, Poppler, database clients) into a
# server that reads untrusted images.
include_guard(GLOBAL)

find_path(FREMIS_OPENCV_INCLUDE_DIR opencv2/dnn.hpp PATH_SUFFIXES opencv4 REQUIRED)
file(STRINGS "${FREMIS_OPENCV_INCLUDE_DIR}/opencv2/core/version.hpp" FREMIS_OPENCV_VERSION_LINES
  REGEX "#define CV_VERSION_(MAJOR|MINOR) ")
string(REGEX REPLACE ".*MAJOR +([0-9]+).*MINOR +([0-9]+).*" "\\1.\\2" FREMIS_OPENCV_VERSION "${FREMIS_OPENCV_VERSION_LINES}")
if(FREMIS_OPENCV_VERSION VERSION_LESS 4.6)
  message(FATAL_ERROR "OpenCV 4.6 or newer is needed, found ${FREMIS_OPENCV_VERSION} in ${FREMIS_OPENCV_INCLUDE_DIR}")
endif()

add_library(fremis_opencv INTERFACE)
add_library(Fremis::opencv ALIAS fremis_opencv)
target_include_directories(fremis_opencv SYSTEM INTERFACE "${FREMIS_OPENCV_INCLUDE_DIR}")
foreach(module dnn imgproc core)
  find_library(FREMIS_OPENCV_${module} opencv_${module} REQUIRED)
  target_link_libraries(fremis_opencv INTERFACE "${FREMIS_OPENCV_${module}}")
endforeach()
