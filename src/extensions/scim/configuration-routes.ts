import { ServiceError } from '../../core/lib/errors.ts';
import { baseOf } from '../../http/address.ts';
import type { Call } from '../../http/call.ts';
import { type Route, route } from '../../http/route.ts';
import { type Attribute, groupKind, type ResourceKind, userKind } from './attributes.ts';
import type { JsonObject } from './json.ts';
import { answerJson, answerList, answersScim, maxListed, path, provisions } from './message-routes.ts';

const kinds = [userKind, groupKind];
const core = 'urn:ietf:params:scim:schemas:core:2.0';

const not = { supported: false };

const configuration = (): JsonObject => ({
  schemas: [`${core}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { ...not, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: maxListed },
  changePassword: not,
  sort: { supported: true },
  pagination: {
    cursor: true,
    index: true,
    defaultPaginationMethod: 'index',
    defaultPageSize: maxListed,
    maxPageSize: maxListed,
  },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token of a user with the role _scim.',
      primary: true,
    },
    { type: 'httpbasic', name: 'HTTP Basic', description: 'An access key of a user with the role _scim.' },
  ],
});

function attributeOf({
  multiValued,
  required,
  caseExact,
  mutability,
  returned,
  uniqueness,
  ...rest
}: Attribute): JsonObject {
  const { subAttributes, ...own } = rest;
  return {
    ...own,
    multiValued: multiValued === true,
    required: required === true,
    caseExact: caseExact === true,
    mutability: mutability ?? 'readWrite',
    returned: returned ?? 'default',
    uniqueness: uniqueness ?? 'none',
    ...(subAttributes && { subAttributes: subAttributes.map(attributeOf) }),
  };
}

const schemaOf = (id: string, name: string, description: string, attributes: readonly Attribute[]): JsonObject => ({
  schemas: [`${core}:Schema`],
  id,
  name,
  description,
  attributes: attributes.map(attributeOf),
});

const schemas = (): readonly JsonObject[] =>
  kinds.flatMap(({ schema, name, description, attributes, extension }) => [
    schemaOf(schema, name, description, attributes),
    ...(extension
      ? [schemaOf(extension.name, 'EnterpriseUser', extension.description, extension.subAttributes ?? [])]
      : []),
  ]);

const typeOf = ({ name, endpoint, description, schema, extension }: ResourceKind): JsonObject => ({
  schemas: [`${core}:ResourceType`],
  id: name,
  name,
  endpoint,
  description,
  schema,
  ...(extension && { schemaExtensions: [{ schema: extension.name, required: false }] }),
});

/** Resources that tell clients how to provision. */
export const configurationRoutes = (): readonly Route[] => [
  route({
    method: 'GET',
    path: `${path}/ServiceProviderConfig`,
    says: 'What the service supports of SCIM.',
    answers: answersScim,
    access: provisions,
    handle: (call) => answerJson(call, placed(call, 'ServiceProviderConfig', configuration())),
  }),
  ...listed('ResourceTypes', 'resource types', () => kinds.map(typeOf)),
  ...listed('Schemas', 'schemas', schemas),
];

/** A list of the service itself, and one of it by its id. */
function listed(name: string, what: string, make: () => readonly JsonObject[]): readonly Route[] {
  const all = (call: Call) => make().map((each) => placed(call, name, each, String(each['id'])));
  return [
    route({
      method: 'GET',
      path: `${path}/${name}`,
      says: `The ${what} of SCIM.`,
      answers: answersScim,
      access: provisions,
      handle(call) {
        const rows = all(call);
        return answerList(call, { offset: 0, total: rows.length }, rows);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/${name}/:resource`,
      says: `One of the ${what} of SCIM.`,
      answers: answersScim,
      access: provisions,
      handle(call, { resource: id }) {
        const one = all(call).find((each) => each['id'] === id);
        if (!one) throw new ServiceError('no-such-entity', { type: name, id: id.slice(0, 80) });
        return answerJson(call, one);
      },
    }),
  ];
}

const placed = (call: Call, name: string, resource: JsonObject, id?: string): JsonObject => ({
  ...resource,
  meta: {
    resourceType: name.replace(/s$/, ''),
    location: [`${baseOf(call)}${path}/${name}`, id].filter(Boolean).join('/'),
  },
});
