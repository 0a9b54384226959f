import { describe, expect, it } from 'vitest';
import { all } from '../../../test/security/roles/routes.ts';
import { me } from '../../src/api/session.ts';
import { has, may, rights } from '../../src/rights.ts';

/** `PUT /item/{item}/metadata` and the role of each route, as openapi.json has them. */
const roles = new Map(
  all.map(({ method, path, access }) => [
    `${method} ${path.replace(/:(\w+)(?:\{[^}]*\})?/g, '{$1}')}`,
    access.needs.role,
  ]),
);

describe('rights of the page', () => {
  it.each(Object.entries(rights))('%s needs what its route needs', (_action, [route, role]) => {
    expect([route, roles.get(route)]).toEqual([route, role]);
  });

  it('shows nothing to nobody, and actions of a role to who has it', () => {
    const numbers = { maxUploadBytes: 1, maxPage: 1 };
    const person = {
      userName: 'a',
      secondFactor: false,
      password: true,
      site: 'VX',
      version: '1',
      ...numbers,
      transcoder: false,
      sortsNames: false,
    };
    me.value = undefined;
    expect([may('item.search'), may('job.read'), has('_item_read')]).toEqual([false, false, false]);
    me.value = { ...person, role: ['_item_search'] };
    expect([may('item.search'), may('job.read'), may('item.edit')]).toEqual([true, true, false]);
    me.value = undefined;
  });
});
