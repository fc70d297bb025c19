#pragma once

#include "server/api/internal_api.h"

/// The handlers behind internalRoutes(). Thread: the connection's event loop; answers may come from any.
namespace fremis::api::internal {

void probe(const InternalServices& services, http::Request&& request, http::Reply reply);
void enrol(const InternalServices& services, http::Request&& request, http::Reply reply);
void deleteEnrollment(const InternalServices& services, http::Request&& request, http::Reply reply);
void deleteVariation(const InternalServices& services, http::Request&& request, http::Reply reply);
void createKeyspace(const InternalServices& services, http::Request&& request, http::Reply reply);
void deleteKeyspace(const InternalServices& services, http::Request&& request, http::Reply reply);
void apply(const InternalServices& services, http::Request&& request, http::Reply reply);
void digests(const InternalServices& services, http::Request&& request, http::Reply reply);
void leaves(const InternalServices& services, http::Request&& request, http::Reply reply);
void rows(const InternalServices& services, http::Request&& request, http::Reply reply);
void keyspaceRecords(const InternalServices& services, http::Request&& request, http::Reply reply);
void collect(const InternalServices& services, http::Request&& request, http::Reply reply);
void faceEmbeddings(const InternalServices& services, http::Request&& request, http::Reply reply);
void match(const InternalServices& services, http::Request&& request, http::Reply reply);

} // namespace fremis::api::internal
