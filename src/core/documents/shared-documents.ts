import { faults } from '../lib/errors.ts';
import {
  attribute,
  bareInJson,
  boolean,
  content,
  dateTime,
  document,
  element,
  exactlyOneOf,
  integer,
  list,
  nullsInJson,
  oneOf,
  string,
  structure,
  type Value,
} from './describe.ts';

export const pair = structure('KeyValuePairType', { key: element(string).required, value: element(string).required });

const simpleMetadataValue = structure(
  'SimpleMetadataValueType',
  {
    mode: attribute(string).says('"add" keeps existing values of the key.'),
    value: content(string).required,
  },
  bareInJson,
);

/** Key-value metadata of an entity. */
export const simpleMetadata = structure('SimpleMetadataType', {
  field: list(
    structure('SimpleMetadataFieldType', {
      key: element(string).required.says('May be a path: parts with "/" between them.'),
      value: element(simpleMetadataValue),
    }),
  ).max(1000),
});

export const simpleMetadataDocument = document('SimpleMetadataDocument', simpleMetadata);
export type SimpleMetadata = Value<typeof simpleMetadataDocument>;

export const externalIdentifier = structure('ExternalIdentifierType', {
  entityId: element(string),
  entityType: element(string),
  namespace: element(string),
  externalId: element(string),
});

export const externalIdentifierListDocument = document('ExternalIdentifierListDocument', {
  id: list(externalIdentifier),
});
export type ExternalIdentifierList = Value<typeof externalIdentifierListDocument>;

export const uriListDocument = document('URIListDocument', { hits: element(integer), uri: list(string) });
export type UriList = Value<typeof uriListDocument>;

const counted = structure('FacetCountType', {
  value: content(integer).required.says('How many hits have the value.'),
  fieldValue: attribute(string),
  count: attribute(integer).says('Number of hits, equal to the text of the element.'),
});
const countedRange = structure('FacetRangeType', {
  value: content(integer).required,
  start: attribute(string),
  end: attribute(string),
  count: attribute(integer),
});

/** Facet of an answer. */
export const facet = structure('FacetType', {
  field: element(string),
  count: list(counted),
  range: list(countedRange),
  name: attribute(string),
});
export type FacetResult = Value<typeof facet>;

const range = structure('FacetRangeRequestType', { start: attribute(string), end: attribute(string) });

/** Facet that a search asks for. */
export const facetRequest = structure('FacetRequestType', {
  field: element(string).required,
  range: list(range),
  exclude: list(string).says('Names of filters that the facet ignores.'),
  count: attribute(boolean).says('No effect: a facet always counts.'),
  minCount: attribute(integer),
  maxCount: attribute(integer).says('Only of searches of jobs.'),
  maxResults: attribute(integer),
  name: attribute(string),
});
export type FacetRequest = Value<typeof facetRequest>;

/** Criterion that the facet of the same field ignores. */
export const facetFilter = structure('FacetFilterType', {
  field: element(string).required,
  range: element(range),
  value: element(string),
});

/** Limits of the facets of a search: of their number, and of values for each. */
export const maxFacets = 20;
export const [defaultFacetValues, maxFacetValues] = [100, 1000];

const step = structure('ExplanationStepType', {
  name: element(string).required,
  answer: element(oneOf('pass', 'accept', 'refuse', 'skipped')).required,
  user: element(string),
  reason: element(string),
  status: element(integer),
});

const knownUser = structure('ExplanationUserType', {
  realm: element(string).required,
  role: list(string),
  permission: list(string),
});

const groupOfUser = structure('ExplanationGroupType', {
  name: element(string).required,
  role: element(boolean).says('Whether it is a role.'),
  source: element(oneOf('entered', 'login', 'scim', 'group')).required.says(
    'Writer of the membership: a caller of the API or a command, a login, SCIM, or another group alone.',
  ),
  realm: element(string).says('The realm or provider of the login.'),
  claim: element(string).says('The claim of the login that gave it, such as `groups: media-team`.'),
  through: list(string).says('Groups of the user that are in it.'),
});

const levelOfUser = structure('ExplanationLevelType', {
  kind: element(string).required.says('The kind of the entity, such as `item`.'),
  id: element(string).required,
  level: element(string).required.says('The level that the route asks for.'),
  operation: element(string),
  granted: element(boolean),
  permission: element(string).says('The level that the user has.'),
  reason: element(string).says('The entry that decides, and why.'),
  owner: element(string),
  entry: list(
    structure('ExplanationEntryType', {
      id: element(string).required,
      counts: element(boolean).required,
      says: element(string).required,
    }),
  ).says('Entries that match the user, in order of precedence.'),
});

const missingPart = structure('ExplanationMissingType', {
  what: element(oneOf('user', 'filter', 'route', 'role', 'path', 'level', 'entity')).required,
  name: element(string).says('The role, the filter, or the entity.'),
  group: list(string).says('Some groups that give the role.'),
  says: element(string).required,
});

/** Ours: what a request would meet, why it would be refused, and what the rights of its user rest on. */
export const explanationDocument = document('ExplanationDocument', {
  method: element(string).says('Absent: only the user is explained.'),
  path: element(string).says('The canonical path, which filters and routes see.'),
  pattern: element(string),
  line: element(integer).says('Line of the pattern in its file.'),
  file: element(string).says('The file with the pattern: a security.ini, or the built-in one.'),
  step: list(step),
  granted: element(boolean).says('Whether the filters let the request through.'),
  user: element(string),
  reason: element(string),
  status: element(integer),
  known: list(knownUser).says('The realms that know the user, with the roles and permissions that they grant.'),
  silent: list(string).says('Realms that know a user only after a login.'),
  lastLogin: element(
    structure('ExplanationLoginType', {
      at: element(dateTime).required,
      way: element(string).required.says('Way of the login: `password`, `provider`, `passkey`.'),
      realm: element(string).says('The realm, filter or provider that accepted it.'),
    }),
  ).says('The newest session or token of the user that has not ended.'),
  role: list(string).says('The roles that the user has in the service.'),
  group: list(groupOfUser).says('Groups and roles of the user, with what put the user there.'),
  route: element(string).says('The route that matches. Absent: none.'),
  needs: element(string).says('The role that the route asks for.'),
  allowed: element(boolean).says('Whether the user has that role, and the rights on the entities of the path.'),
  level: list(levelOfUser).says('Levels on entities of the path that the route asks for.'),
  missing: list(missingPart).says('Rights and facts that the user lacks for the request.'),
  note: list(string).says('Further conditions that the request depends on.'),
  entity: element(
    structure('ExplanationEntityType', {
      status: element(integer).required,
      reason: element(string).required,
      explanation: element(string),
    }),
  ).says(
    'Answer for a user with the role who lacks an entity of the path: it is not there, or an access entry is missing.',
  ),
});
export type Explanation = Value<typeof explanationDocument>;

const text = element(string);
const refusal = { context: text, id: text, explanation: text };
const input = { ...refusal, value: text };
const failure = { message: text };

/** The order is that of JSON, where all nine are always present; XML has exactly one. Names are those that clients read. */
const exceptionFields = {
  notFound: element(structure('NotFoundType', { type: text, id: text, context: text }, nullsInJson)),
  internalServer: element(structure('InternalServerType', failure, nullsInJson)),
  forbidden: element(structure('ForbiddenType', refusal, nullsInJson)),
  notYetImplemented: element(structure('NotYetImplementedType', { explanation: text })),
  conflict: element(structure('ConflictType', input, nullsInJson)),
  invalidInput: element(structure('InvalidInputType', input, nullsInJson)),
  licenseFault: element(structure('LicenseFaultType', failure, nullsInJson)),
  fileAlreadyExists: element(
    structure('FileAlreadyExistsType', { storageId: text, fileId: text, path: text }, nullsInJson),
  ),
  notAuthorized: element(structure('NotAuthorizedType', failure, nullsInJson)),
};
export const exceptionDocument = document('ExceptionDocument', exceptionFields, exactlyOneOf(...faults), nullsInJson);
export type ExceptionDocument = Value<typeof exceptionDocument>;

/** A refusal as a problem of RFC 9457. Its root in XML is `problem`. */
export const problemDocument = document('ProblemDocument', {
  type: element(string).says('The code, as in `portico-error`: `urn:portico:error:no-such-entity`.').required,
  title: element(string).says('What the code means.').required,
  status: element(integer).required,
  detail: element(string).says('What was expected.'),
  instance: element(string).says('The request, as in `x-request-id`.').required,
  ...exceptionFields,
});

const operation = structure(
  'AccessControlOperationType',
  {
    metadata: element(structure('AccessControlMetadataType', { field: element(string) })),
    shape: element(structure('AccessControlShapeType', { tag: element(string) })),
    uri: element(structure('AccessControlUriType', { type: element(string) })),
  },
  exactlyOneOf('metadata', 'shape', 'uri'),
);

export const accessControl = structure('AccessControlType', {
  id: attribute(string),
  loc: element(string).outputOnly,
  grantor: element(string).says('The user who granted it.').outputOnly,
  recursive: element(boolean).says('Replaces appliesTo. True: the entity and its descendants.'),
  appliesTo: list(
    structure('AccessControlAppliesToType', {
      value: content(oneOf('self', 'collection', 'item', 'library', 'all')).required,
      recursive: attribute(boolean).says('Default: direct members only.'),
    }),
  )
    .max(20)
    .says('Default: the entity and its descendants.'),
  permission: element(oneOf('NONE', 'READ', 'WRITE', 'ALL', 'OWNER')),
  priority: element(integer).says('The highest number decides. Default: 0.'),
  operation: element(operation).says('Default: all operations.'),
  group: element(string),
  user: element(string),
});
export type AccessControl = Value<typeof accessControl>;

export const accessControlDocument = document('AccessControlDocument', accessControl);

export const accessControlListDocument = document('AccessControlListDocument', { access: list(accessControl) });
export type AccessControlList = Value<typeof accessControlListDocument>;
