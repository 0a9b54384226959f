import type { Sent } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import type { Rule } from './rule.ts';

const alias = (who: string): string => `secret-${who}`.slice(0, 60);
const value = (request: string, body = 'value'): Sent => ({
  as: admin,
  request,
  body,
  headers: { 'content-type': 'text/plain' },
});

const given = (who: string): readonly Sent[] => [
  { as: admin, request: `PUT /API/secret/${alias(who)}` },
  value(`PUT /API/secret/${alias(who)}/password`),
];

const rule = (method: string, path: string, body?: Sent['body']): Rule => ({
  route: `${method} ${path}`,
  needs: '_administrator',
  given,
  request: (who) => ({
    request: `${method} /API${path.replace(':alias', alias(who)).replace(':key', 'password')}`,
    body,
    ...(body !== undefined && { headers: { 'content-type': 'text/plain' } }),
  }),
});

export const secretRules: readonly Rule[] = [
  rule('GET', '/secret/:alias'),
  rule('PUT', '/secret/:alias'),
  rule('DELETE', '/secret/:alias'),
  rule('PUT', '/secret/:alias/:key', 'other'),
  rule('DELETE', '/secret/:alias/:key'),
];
