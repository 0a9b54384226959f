const statuses: Readonly<Record<string, number>> = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  KeyTooLongError: 400,
  MalformedXML: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  MissingSecurityHeader: 400,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  NotImplemented: 501,
  PermanentRedirect: 301,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  SlowDown: 503,
  XAmzContentSHA256Mismatch: 400,
};

export const escaped = (text: string): string => text.replace(/[<>&"']/g, (each) => `&#${each.charCodeAt(0)};`);

const declared = (body: string): string => `<?xml version="1.0" encoding="UTF-8"?>\n${body}`;

export const errorBody = (code: string): string =>
  declared(`<Error><Code>${code}</Code><Message>As ${code} says</Message></Error>`);

/** Thrown where a request is refused. */
export class Refused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export const refusal = (code: string, method = 'GET', headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(method === 'HEAD' ? null : errorBody(code), {
    status: statuses[code] ?? 400,
    headers: { 'content-type': 'application/xml', ...headers },
  });

export const xml = (body: string): Response =>
  new Response(declared(body), { headers: { 'content-type': 'application/xml' } });
