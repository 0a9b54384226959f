import { expect, it } from 'vitest';
import { Hooks, hook, hooked } from '../../src/room/hook.ts';

it('a service does not start where a room leaves a hook open that another room declares', () => {
  const nameOf = hook<() => string>('names');
  expect(() => new Hooks().joinRooms(new Map([['names', {}]]))).toThrow('Expected the room names to do');
  const hooks = new Hooks();
  hooks.joinRooms(new Map([['names', { hooks: [hooked(nameOf, () => 'Ann')] }]]));
  expect(hooks.need(nameOf)()).toBe('Ann');
  const without = new Hooks();
  without.joinRooms(new Map());
  expect(without.find(nameOf)).toBeUndefined();
  expect(() => without.need(nameOf)).toThrow('not-implemented');
});
