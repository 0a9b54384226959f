import { type Description, exceptionDocument, jsonSchemaDefinitions } from '../../documents/index.ts';

type Json = Readonly<Record<string, unknown>>;

const refusal = { $ref: `#/components/schemas/${exceptionDocument.name}` };

const refused = (description: string): Json => ({
  description,
  headers: {
    'portico-error': { description: 'The code of the refusal. Codes do not change.', schema: { type: 'string' } },
    'x-request-id': { description: 'Names the request in the log of the service.', schema: { type: 'string' } },
  },
  content: {
    'application/xml': { schema: refusal },
    'application/json': { schema: refusal },
    'text/plain': { schema: { type: 'string' } },
  },
});

/** What operations refer to. */
export function components(documents: readonly Description[], namespace: string): Json {
  const schemas: Record<string, Json> = { ...jsonSchemaDefinitions(documents, '#/components/schemas/') };
  for (const { name } of documents) schemas[name] = { ...schemas[name], xml: { name, namespace } };
  return {
    schemas,
    responses: {
      NotAuthenticated: refused('The request has no credentials that count.'),
      NotAllowed: refused('The caller lacks the role that x-role names, or the rest of what the operation asks for.'),
      Refused: refused('The request was refused, or failed. Status and document say why.'),
    },
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic', description: 'User name and password, or an access key and its secret.' },
      token: { type: 'http', scheme: 'token', description: 'A token of this service, as GET /token answers it.' },
      bearer: { type: 'http', scheme: 'bearer', description: 'A token of the identity provider that is configured.' },
    },
  };
}
