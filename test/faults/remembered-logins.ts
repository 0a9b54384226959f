import type { Fault } from './fault.ts';

const passwords = 'src/identity/passwords/passwords.ts';
const caughtBy = 'test/security/accepted-elsewhere.test.ts';

/** Faults that make a remembered refusal say more, or for longer, than a remembered password may. */
export const rememberedLoginFaults: readonly Fault[] = [
  {
    name: 'a remembered refusal that outlives the login as a whole',
    file: passwords,
    find: 'if (!accepted) this.#refused.delete(place);\n    else if',
    replace: 'if',
    caughtBy,
  },
  {
    name: 'a remembered refusal that each use makes longer',
    file: passwords,
    find: 'else if (this.#refused.get(place, clock.now()) === undefined)',
    replace: 'else',
    caughtBy,
  },
  {
    name: 'a remembered refusal of another configuration',
    file: passwords,
    find: 'const place = `${configuration}:${key}`;',
    replace: 'const place = `${configuration + 1}:${key}`;',
    caughtBy,
  },
  {
    name: 'a remembered refusal that tells a stranger while places are taken',
    file: passwords,
    find: 'const shortcut = remembered && (!this.#gate.taken || asker.isFamiliar());',
    replace: 'const shortcut = remembered;',
    caughtBy,
  },
];
