import type { Rule } from './rule.ts';

const one = '/auto-projection/:rule';

export const autoProjectionRules: readonly Rule[] = [
  ...['GET', 'PUT', 'DELETE'].map((method) => `${method} ${one}`),
  ...['enable', 'disable'].map((word) => `PUT ${one}/${word}`),
].map((route) => ({
  route,
  needs: route.startsWith('GET') ? '_auto_projection_read' : '_auto_projection_write',
  async rows({ service: { store } }, who) {
    const sql = `INSERT INTO attachment (owner_type, owner_id, kind, name, media_type, content, changed_at)
      VALUES ('projection', '', 'auto-projection', ?, 'application/json', CAST('{}' AS BLOB), 0)`;
    await store.commit({ changes: [{ sql, args: [`rule-${who}`] }], events: [] }, { user: 'test' });
  },
  request: (who) => ({
    request: route.replace(' /', ' /API/').replace(':rule', `rule-${who}`),
    ...(route === `PUT ${one}` && { body: {} }),
  }),
}));
