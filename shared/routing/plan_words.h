#pragma once

#include "shared/routing/plan_output.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace fremis::routing {

/// The words of plan files.
inline constexpr std::string_view kPlanFormat = "fremis-plan/1";

template<class E>
using Words = std::array<std::pair<E, std::string_view>, 4>;

inline constexpr Words<PlanMode> kModes{{{PlanMode::Contiguous, "contiguous"}, {PlanMode::Multi, "multi"}}};
inline constexpr Words<Objective> kObjectives{
    {{Objective::Moves, "moves"}, {Objective::Balance, "balance"}, {Objective::Vectors, "vectors"}, {Objective::Ranges, "ranges"}}};
inline constexpr Words<PlanNode::Role> kRoles{{{PlanNode::Role::Stays, "stays"},
                                        {PlanNode::Role::Joins, "joins"},
                                        {PlanNode::Role::Leaves, "leaves"},
                                        {PlanNode::Role::Drained, "drained"}}};
inline constexpr Words<PlanMove::Kind> kKinds{
    {{PlanMove::Kind::Move, "move"}, {PlanMove::Kind::Copy, "copy"}, {PlanMove::Kind::Drop, "drop"}}};

template<class E>
std::string_view wordIn(const Words<E>& words, E value) {
    for (const auto& [each, word] : words)
        if (each == value && !word.empty())
            return word;
    return {};
}

template<class E>
std::optional<E> valueIn(const Words<E>& words, std::string_view text) {
    for (const auto& [each, word] : words)
        if (word == text && !word.empty())
            return each;
    return std::nullopt;
}

} // namespace fremis::routing
