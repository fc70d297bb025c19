#pragma once

#include "shared/base/error.h"
#include "shared/http/message.h"

#include <memory>

namespace fremis::http {

class ReplyState;

/// The one answer to one request. Cheap to copy; every copy speaks for the same request. The first answer wins, later
/// ones are ignored. When the last copy goes without an answer, the client gets 500 `internal`. Thread: any.
class Reply {
public:
    explicit Reply(std::shared_ptr<ReplyState> state) : m_state(std::move(state)) {}

    void send(Answer answer) const;
    /// `body`: a JSON object.
    void json(std::string body, int status = 200, std::vector<Header> extra = {}) const;
    void text(std::string contentType, std::string body, int status = 200) const;
    /// The error body. `extraMembers`: more members of the JSON object as text, `"partition":3,"nodes":["a"]`, or
    /// empty.
    void fail(const base::Error& error, std::string_view extraMembers = {}, std::vector<Header> extra = {}) const;

    /// True once the connection is gone: nobody will read the answer, so costly work may be dropped.
    [[nodiscard]] bool clientGone() const;
    [[nodiscard]] const std::string& requestId() const;

private:
    std::shared_ptr<ReplyState> m_state;
};

} // namespace fremis::http
