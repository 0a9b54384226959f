import type { World } from '../../support/matrix.ts';
import type { Rule } from './rule.ts';

const numbers = new Map<string, number>();
let last = 870_000;

const ruleOf = (who: string): string => `VX-${numbers.get(who)}`;
const limits = { resource: [{ name: 'item', limit: 5 }] };

/** A rule without criteria, with an external id. */
async function ruleRowsOf({ service: { store } }: World, who: string): Promise<void> {
  const number = ++last;
  numbers.set(who, number);
  const changes = [
    `INSERT INTO quota_rule (id, serial, key, item_limit, update_frequency, due)
      VALUES ('VX-' || ?1, ?1, 'any', 5, 3600, 9e15)`,
    `INSERT INTO external_id_namespace VALUES ('any', '.*', 1) ON CONFLICT DO NOTHING`,
    `INSERT INTO external_id (entity_type, external_id, entity_id) VALUES ('quota-rule', 'quota-' || ?1, 'VX-' || ?1)`,
  ];
  await store.commit(
    { changes: changes.map((sql) => ({ sql, args: sql.includes('?1') ? [number] : [] })), events: [] },
    { user: 'test' },
  );
}

const rowOf = (route: string, rest = '', body?: object): Rule => {
  const method = route.slice(0, route.indexOf(' '));
  return {
    route,
    needs: method === 'GET' ? '_quota_read' : '_quota_write',
    rows: ruleRowsOf,
    request: (who) => ({
      request: `${method} /API/quota/${ruleOf(who)}${rest.replace('VX', `quota-${numbers.get(who)}`)}`,
      ...(body && { body }),
    }),
  };
};

export const quotaRules: readonly Rule[] = [
  { route: 'POST /quota', needs: '_quota_write', request: () => ({ request: 'POST /API/quota', body: limits }) },
  rowOf('GET /quota/:rule'),
  rowOf('PUT /quota/:rule', '', limits),
  rowOf('PUT /quota/:rule/evaluate', '/evaluate'),
  rowOf('DELETE /quota/:rule'),
  rowOf('GET /quota/:rule/history', '/history'),
  rowOf('GET /quota/:rule/external-id', '/external-id'),
  rowOf('DELETE /quota/:rule/external-id', '/external-id'),
  rowOf('PUT /quota/:rule/external-id/:externalId', '/external-id/another-VX'),
  rowOf('DELETE /quota/:rule/external-id/:externalId', '/external-id/VX'),
];
