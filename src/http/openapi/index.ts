import type { Description } from '../../core/documents/index.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import type { Route } from '../route.ts';
import { type ApiForm, componentParts, jsonParts } from './components.ts';
import { jsonOperation, operation, unionSchemas } from './operation.ts';
import { pathTemplate } from './path.ts';

export type { ApiForm } from './components.ts';

/** Input for the OpenAPI document. */
export interface Api {
  readonly routes: readonly Route[];
  readonly documents: readonly Description[];
  /** Version of the API. */
  readonly version: string;
  /** Namespace of the XML documents. */
  readonly namespace: string;
  readonly form?: ApiForm;
}

const description = `Every operation that answers GET also answers HEAD.

- \`x-role\`: the role that the caller needs, or "any caller", or "nothing". \`_administrator\` implies every role.
- \`x-or-self\`: the user that this parameter of the path names may use the operation too, with \`role\` if it is there.
- \`x-level\`: the level that access entries give the caller on an entity, by the parameter that names it. \`READ for URI\`: on at least one part that the operation concerns. \`READ for all METADATA\`: on all parts.
- \`x-besides\`: what else the caller shows.
- \`x-acting\`: what a caller may do here that only acts for its user (header RunAs, or a token made with it): "allowed", "refused" or "partly".
- \`x-matrix\`: the parameter may also be a matrix parameter of a path segment (\`/user;first=2\`).
- \`x-commas\`: the list may also be one value with commas.
- \`x-rest\`: the parameter takes the rest of the path.
- \`x-opaque\`: the parameter may hold any text, with its separators percent-encoded.

Parameters and properties that nobody declares are passed over, and named in the header \`portico-ignored\`. The schema of the XML documents is at \`schema.xsd\`.`;

/** The OpenAPI 3.1 document of these routes, as JSON in parts. */
export function* openApiParts({ routes, documents, version, namespace, form = 'all' }: Api): Generator<string, void> {
  const head = {
    openapi: '3.1.1',
    info: { title: 'Portico', version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/API' }],
    security: [{ basic: [] }, { token: [] }, { session: [] }, { bearer: [] }],
  };
  yield `${JSON.stringify(head).slice(0, -1)},"paths":`;
  yield* jsonParts(
    groupBy(routes, ({ path }) => pathTemplate(path).template),
    form === 'json' ? operations(jsonOperation) : operations(operation),
  );
  yield ',"components":';
  yield* componentParts(documents, namespace, unionSchemas(routes), form);
  yield '}';
}

const operations = (describe: typeof jsonOperation) => (routes: readonly Route[]) =>
  Object.fromEntries(
    routes.flatMap((route) => {
      const described = describe(route);
      return described ? [[route.method.toLowerCase(), described]] : [];
    }),
  );
