import {
  type ExceptionDocument,
  exceptionDocument,
  problemDocument,
  writeJson,
  writeXml,
} from '../core/documents/index.ts';
import { type ErrorCode, type ErrorDetail, errorCatalogue, type Fault, ServiceError } from '../core/lib/errors.ts';
import { type ErrorType, errorType, type MediaType, namedErrorType, scimJson } from './negotiation.ts';
import { oneLine, type Reply } from './reply.ts';

/** First line of the text form, by status. */
const sentences: Readonly<Record<number, string>> = {
  400: 'An invalid parameter was entered',
  403: 'The operation is not permitted',
  404: 'A resource could not be found',
  405: 'The method is not allowed here',
  406: 'None of the accepted media types can be produced',
  408: 'The request took too long',
  409: 'The request conflicts with what exists',
  412: 'The state that the request expects has changed',
  413: 'The body is too large',
  414: 'The request target is too long',
  415: 'The media type of the body is not supported',
  416: 'The range is outside of the content',
  417: 'The expectation cannot be met',
  429: 'Too many attempts were made',
  431: 'The headers are too large',
  460: 'The checksum is that of other bytes',
  500: 'The service failed',
  501: 'The service cannot do this',
  503: 'The service is busy',
  507: 'The storage has no room',
};

const labels: readonly (readonly [keyof ErrorDetail, string])[] = [
  ['type', 'Type'],
  ['context', 'Context'],
  ['id', 'ID'],
  ['explanation', 'Reason'],
  ['value', 'Value'],
  ['storageId', 'Storage'],
  ['fileId', 'File'],
  ['path', 'Path'],
];

/** Namespace of documents, and the request that is refused. */
interface RefusedRequest {
  readonly namespace: string;
  readonly id: string;
}

/** The one place where a refusal becomes an answer, in the form that the caller reads. */
export function errorReply(
  error: ServiceError,
  accept: string | null,
  offered: readonly MediaType[] | undefined,
  { namespace, id }: RefusedRequest,
): Reply {
  const headers = { ...error.headers, 'portico-error': error.code };
  if (error.status === 401) return { status: 401, headers, ...loginBody(accept, { namespace, id }, error) };
  const type = errorType(accept, offered);
  return { status: error.status, type, body: writers[type](error, { namespace, id }), headers };
}

const writers: Record<ErrorType, (error: ServiceError, request: RefusedRequest) => string> = {
  'application/xml': (error, { namespace }) => writeXml(exceptionDocument, exceptionOf(error), namespace),
  'application/json': (error) => writeJson(exceptionDocument, exceptionOf(error)),
  'application/problem+json': (error, { id }) => writeJson(problemDocument, problemOf(error, id)),
  'application/problem+xml': (error, { id }) => writeXml(problemRoot, problemOf(error, id), problemNamespace),
  [scimJson]: (error) => JSON.stringify(scimErrorOf(error)),
  'text/plain': (error) => {
    const lines = [`${error.status} ${sentences[error.status] ?? 'The request failed'}`];
    const detail = detailOf(error);
    for (const [field, label] of labels) {
      const text = detail[field];
      if (text !== undefined) lines.push(`${label}: ${oneLine(text)}`);
    }
    return `${lines.join('\r\n')}\r\n`;
  },
};

/** Namespace of RFC 9457, which kept that of the RFC before it. */
const problemNamespace = 'urn:ietf:rfc:7807';
const problemRoot = { ...problemDocument, name: 'problem' };

/** Members of RFC 9457, and the child of the error document as its extension. */
function problemOf(error: ServiceError, id: string) {
  const { code, status, detail } = error;
  return {
    type: `urn:portico:error:${code}`,
    title: errorCatalogue[code].says,
    status,
    detail: detail.explanation,
    instance: `urn:portico:request:${id}`,
    ...exceptionOf(error),
  };
}

/** Kinds of errors that RFC 7644 names. Others have their status alone. */
const scimTypes: Partial<Record<ErrorCode, string>> = {
  'already-exists': 'uniqueness',
  'bad-cursor': 'invalidCursor',
  'bad-document': 'invalidSyntax',
  'bad-filter': 'invalidFilter',
  'bad-parameter': 'invalidValue',
  'bad-path': 'invalidPath',
  'bad-value': 'invalidValue',
  'body-missing': 'invalidSyntax',
  'no-target': 'noTarget',
  'value-fixed': 'mutability',
};

function scimErrorOf({ code, status, detail }: ServiceError) {
  const { explanation, context, id, type } = detail;
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    scimType: scimTypes[code],
    detail: [explanation ?? errorCatalogue[code].says, context ?? type, id].filter(Boolean).join(': '),
  };
}

/** Body of a demand for a login, for callers who name its form. It says the same whatever is wrong with the credentials. */
export function loginBody(
  accept: string | null,
  request: RefusedRequest,
  error = new ServiceError('not-authenticated'),
): Pick<Reply, 'type' | 'body'> | undefined {
  const type = namedErrorType(accept);
  return type && { type, body: writers[type](error, request) };
}

/** A conflict has no type: clients find what it is about in its context. */
function detailOf({ fault, detail }: ServiceError): ErrorDetail {
  if (fault !== 'conflict') return detail;
  const { type, ...rest } = detail;
  return { ...(type !== undefined && { context: type }), ...rest };
}

/** Faults with only a message. It includes the request id, since clients show nothing else. */
const messageOnly: ReadonlySet<Fault> = new Set(['internalServer', 'notAuthorized', 'licenseFault']);

function exceptionOf(error: ServiceError): ExceptionDocument {
  const { fault, detail } = error;
  if (!messageOnly.has(fault)) return { [fault]: detailOf(error) };
  const { id, explanation = error.status === 401 ? errorCatalogue[error.code].says : undefined } = detail;
  return { [fault]: { message: explanation && id ? `${explanation}: ${id}` : explanation } };
}
