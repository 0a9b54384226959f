import type { Statement } from '../../../src/core/store/contract.ts';
import type { Sent, World } from '../../support/matrix.ts';
import type { Rule } from './rule.ts';

/** Ids of access entries, one pair for each caller. */
const numbers = new Map<string, number>();

function numberOf(who: string): number {
  const number = numbers.get(who) ?? 900_000 + 2 * numbers.size;
  numbers.set(who, number);
  return number;
}

const fieldOf = (who: string): string => `field-of-${who}`;
const groupOf = (who: string): string => `group-of-${who}`;
const childOf = (who: string): string => `child-of-${who}`;

/** A field and a group with a member of each kind, a key and an external id. `entries`: access entries, too. */
const rowsOf =
  (entries: boolean) =>
  async ({ service }: World, who: string): Promise<void> => {
    const [field, group, child] = [fieldOf(who), groupOf(who), childOf(who)];
    const row = (sql: string, ...args: readonly (string | number)[]): Statement => ({ sql, args });
    const member = `INSERT INTO metadata_field_group_member VALUES (?, ?, ?, ?, '{}')`;
    const newGroup = `INSERT INTO metadata_field_group VALUES (?1, ?1, '{}', 1)`;
    const owners = [
      ['metadata-field', field],
      ['field-group', group],
    ] as const;
    const entry = `INSERT INTO metadata_field_access VALUES (?, ?, ?, ?, NULL, NULL, 3)`;
    const number = numberOf(who);
    const changes = [
      row(`INSERT INTO external_id_namespace VALUES ('any', '.*', 1) ON CONFLICT DO NOTHING`),
      row(`INSERT INTO metadata_field (name, type, system) VALUES (?, 'string', 0)`, field),
      row(newGroup, group),
      row(newGroup, child),
      row(member, group, 'field', field, 0),
      row(member, group, 'group', child, 1),
      ...owners.flatMap(([type, name]) => [
        row(
          `INSERT INTO key_value (entity_type, entity_id, key, position, value) VALUES (?, ?, 'a/b', 0, 'c')`,
          type,
          name,
        ),
        row(
          `INSERT INTO external_id (entity_type, external_id, entity_id) VALUES (?, ?, ?)`,
          type,
          `id-of-${who}`,
          name,
        ),
      ]),
      ...(entries
        ? [
            row(entry, `VX-${number}`, number, 'field', field),
            row(entry, `VX-${number + 1}`, number + 1, 'group', group),
          ]
        : []),
    ];
    await service.store.commit({ changes, events: [] }, { user: 'test' });
  };

type Needs = Rule['needs'];

function row(route: string, needs: Needs, query = '', body?: Sent['body'], entries = false): Rule {
  const [method, path] = route.split(' ') as [string, string];
  const isField = path.startsWith('/metadata-field/:field');
  const request = (who: string) => {
    const filled = path
      .replace(':field', fieldOf(who))
      .replace('/:group', `/${groupOf(who)}`)
      .replace(':child', childOf(who))
      .replace(':externalId', `id-of-${who}`)
      .replace(':access', `VX-${numberOf(who) + (isField ? 0 : 1)}`)
      .replace(':key{.+}', 'a/b');
    return { request: `${method} /API${filled}${query}`, body };
  };
  return { route, needs, rows: rowsOf(entries), request };
}

const metadata = { field: [{ key: 'k', value: 'v' }] };
const entry = { user: 'admin', permission: 'READ' };
const user = '?username=admin';
const noSuchField = { delete: [{ target: { field: { name: 'x_none' } } }] };

/** Rules that fields and groups have in common. */
const alike = (path: string, read: Needs, write: Needs): readonly Rule[] => [
  row(`GET ${path}`, read),
  row(`PUT ${path}`, write, '', {}),
  row(`DELETE ${path}`, write),
  row(`GET ${path}/access`, '_administrator', '', undefined, true),
  row(`POST ${path}/access`, '_administrator', '', entry),
  row(`GET ${path}/access/:access`, '_administrator', '', undefined, true),
  row(`DELETE ${path}/access/:access`, '_administrator', '', undefined, true),
  row(`GET ${path}/merged-access`, '_administrator', user),
  row(`GET ${path}/metadata`, read),
  row(`PUT ${path}/metadata`, write, '', metadata),
  row(`DELETE ${path}/metadata`, write),
  row(`GET ${path}/metadata/:key{.+}`, read),
  row(`PUT ${path}/metadata/:key{.+}`, write, '', 'v'),
  row(`DELETE ${path}/metadata/:key{.+}`, write),
  row(`GET ${path}/external-id`, read),
  row(`DELETE ${path}/external-id`, write),
  row(`PUT ${path}/external-id/:externalId`, write),
  row(`DELETE ${path}/external-id/:externalId`, write),
  ...(path.endsWith('/:field') ? [row(`DELETE ${path}/:externalId`, write)] : []),
];

const field = '/metadata-field/:field';
const group = '/metadata-field/field-group/:group';
const [readField, writeField] = ['_metadata_field_read', '_metadata_field_write'] as const;
const [readGroup, writeGroup] = ['_metadata_field_group_read', '_metadata_field_group_write'] as const;

/** Definitions of metadata fields and of groups of them. */
export const definitionRules: readonly Rule[] = [
  ...alike(field, readField, writeField),
  row(`GET ${field}/values`, readField),
  row(`PUT ${field}/values`, writeField, '', metadata),
  row(`GET ${field}/allowed-values`, readField),
  row(`POST ${field}/allowed-values`, readField),
  ...alike(group, readGroup, writeGroup),
  row(`PUT ${group}/:field`, writeGroup),
  row(`DELETE ${group}/:field`, writeGroup),
  row(`PUT ${group}/group/:child`, writeGroup),
  row(`DELETE ${group}/group/:child`, writeGroup),
  { ...row('POST /metadata/migration', '_administrator', '', noSuchField), allowed: 404 },
  row('GET /metadata/migration', readField),
  { ...row('GET /metadata/migration/:migration', readField), allowed: 404 },
  row('GET /metadata-field/merged-access', '_administrator', user),
  row('GET /metadata-field/field-group/merged-access', '_administrator', user),
];
