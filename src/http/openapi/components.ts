import {
  type Description,
  exceptionDocument,
  jsonSchemaDefinitions,
  problemDocument,
} from '../../core/documents/index.ts';

type Json = Readonly<Record<string, unknown>>;

/** `json`: bodies and answers have JSON alone where there is JSON, as generators of clients read them. */
export type ApiForm = 'all' | 'json';

const prefix = '#/components/schemas/';

const refusal = { $ref: `${prefix}${exceptionDocument.name}` };

const problem = { $ref: `${prefix}${problemDocument.name}` };

const refused = (description: string, form: ApiForm): Json => ({
  description,
  headers: {
    'portico-error': { description: 'The code of the refusal. Codes do not change.', schema: { type: 'string' } },
    'x-request-id': { description: 'Names the request in the log of the service.', schema: { type: 'string' } },
  },
  content: {
    'application/json': { schema: refusal },
    ...(form === 'all' && otherRefusals),
  },
});

const otherRefusals = {
  'application/xml': { schema: refusal },
  'text/plain': { schema: { type: 'string' } },
  'application/problem+json': { schema: problem },
  'application/problem+xml': { schema: { type: 'string' } },
  'application/scim+json': { schema: { type: 'object' } },
};

/** Components that operations refer to, as JSON in parts. A part may be empty and still take time to make. */
export function* componentParts(
  documents: readonly Description[],
  namespace: string,
  unions: Readonly<Record<string, Json>>,
  form: ApiForm,
): Generator<string, void> {
  const schemas: Record<string, Json> = { ...unions };
  for (const document of documents) {
    jsonSchemaDefinitions([document], prefix, schemas);
    yield '';
  }
  if (form === 'all') {
    for (const { name } of documents) schemas[name] = { ...schemas[name], xml: { name, namespace } };
  }
  yield '{"schemas":';
  yield* jsonParts(Object.entries(schemas), (schema) => schema);
  yield `,${JSON.stringify({ responses: refusals(form), securitySchemes }).slice(1)}`;
}

/** An object as JSON, a property in each part. */
export function* jsonParts<T>(
  properties: Iterable<readonly [name: string, from: T]>,
  make: (from: T) => Json,
): Generator<string, void> {
  let before = '{';
  for (const [name, from] of properties) {
    yield `${before}${JSON.stringify(name)}:${JSON.stringify(make(from))}`;
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

const refusals = (form: ApiForm): Json => ({
  NotAuthenticated: refused('The request has no credentials that count.', form),
  NotAllowed: refused('The caller lacks the role that x-role names, or the rest of what the operation asks for.', form),
  Refused: refused('The request was refused, or failed. Status and document say why.', form),
});

const securitySchemes: Json = {
  basic: { type: 'http', scheme: 'basic', description: 'User name and password, or an access key and its secret.' },
  token: { type: 'http', scheme: 'token', description: 'A token of this service, as GET /token answers it.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-portico',
    description: 'The cookie of a session, as POST /session answers it, in requests of pages of the same origin.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'A token of the identity provider that is configured.' },
};
