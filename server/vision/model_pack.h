#pragma once

#include "shared/base/error.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace fremis::vision {

struct PackManifest;
class PackFiles;

/// Cosines from which two embeddings of this pack count as one person.
struct Thresholds {
    double verify = 0;   ///< 1:1
    double identify = 0; ///< 1:N
    double strict = 0;   ///< 1:N in large galleries
};

/// What a face must have to be used; 0 turns a gate off.
struct QualityGates {
    double enrolNorm = 0;   ///< least norm of the raw embedding to enrol
    double searchNorm = 0;  ///< ... to search; below it the orientation search starts
    int minFace = 0;        ///< box height in pixels below which a face is never used
    int enrolFace = 0;      ///< box height needed to enrol
    double maxResidual = 0; ///< RMS distance from the alignment template, in its pixels; above it only a warning
};

/// Which optional values of a face are wanted. All are estimates for people to read: nothing is refused for them.
struct AttributeSet {
    bool liveness = false; ///< experimental: not measured against genuine spoofs
    bool gender = false;
    bool age = false; ///< rough: ten years off and more
    bool eyes = false;

    [[nodiscard]] bool any() const { return liveness || gender || age || eyes; }
};

/// A folder that turns photos into embeddings: pack.yaml and its model files. The files are read once, their SHA-256
/// sums are verified, and every pipeline is built from the verified bytes, so a file changed on disk later has no
/// effect. Immutable; a copy shares the bytes. Thread: any.
class ModelPack {
public:
    /// Reads `folder`/pack.yaml, verifies each file it names, builds all nets and runs one blank image through them.
    /// Every failure is Reason::BadModelPack and names the file.
    [[nodiscard]] static base::Result<ModelPack> load(const std::filesystem::path& folder);

    [[nodiscard]] const std::string& id() const;
    /// Name of the embedding space; stored with every template. Only embeddings of equal spaces are compared.
    [[nodiscard]] const std::string& space() const;
    /// Floats of one embedding.
    [[nodiscard]] int dim() const;
    [[nodiscard]] const std::string& licence() const;
    [[nodiscard]] const Thresholds& thresholds() const;
    [[nodiscard]] const QualityGates& quality() const;
    /// Which attributes the pack has models for.
    [[nodiscard]] AttributeSet attributes() const;
    /// The calibrated 0..1 value that clients compare with .7, .8 and .9. Strictly increasing in `cosine`.
    [[nodiscard]] double similarity(double cosine) const;

    [[nodiscard]] const PackManifest& manifest() const { return *m_manifest; }
    [[nodiscard]] const PackFiles& files() const { return *m_files; }

private:
    ModelPack(std::shared_ptr<const PackManifest> manifest, std::shared_ptr<const PackFiles> files);

    std::shared_ptr<const PackManifest> m_manifest;
    std::shared_ptr<const PackFiles> m_files;
};

} // namespace fremis::vision
