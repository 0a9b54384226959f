import { type ExceptionDocument, exceptionDocument, writeJson, writeXml } from '../core/documents/index.ts';
import type { ErrorDetail, Fault, ServiceError } from '../core/lib/errors.ts';
import { type DocumentType, errorType, type MediaType } from './negotiation.ts';
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

/** The one place where a refusal becomes an answer, in the form that the caller reads. */
export function errorReply(
  error: ServiceError,
  accept: string | null,
  offered: readonly MediaType[] | undefined,
  namespace: string,
): Reply {
  const headers = { ...error.headers, 'portico-error': error.code };
  if (error.status === 401) return { status: 401, headers };
  const type = errorType(accept, offered);
  return { status: error.status, type, body: writers[type](error, namespace), headers };
}

const writers: Record<DocumentType, (error: ServiceError, namespace: string) => string> = {
  'application/xml': (error, namespace) => writeXml(exceptionDocument, exceptionOf(error), namespace),
  'application/json': (error) => writeJson(exceptionDocument, exceptionOf(error)),
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
  const { id, explanation } = detail;
  return { [fault]: { message: explanation && id ? `${explanation}: ${id}` : explanation } };
}
