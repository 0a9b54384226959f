import type { Run } from './run.ts';

/** Runs that were broken once, as `npm run simulate` prints them: a name, and the shortest steps. */
export const kept: Readonly<Record<string, Run>> = {
  'a read beside a deletion, whose reads take turns': {
    setting: { instances: 2, order: 3, readsWait: true, receivers: [200] },
    steps: [
      { deeds: [{ does: 'makeItem', at: 0, who: 1, what: 0, other: 0 }] },
      {
        deeds: [
          { does: 'readTitle', at: 0, who: 1, what: 0, other: 0 },
          { does: 'deleteItem', at: 0, who: 1, what: 0, other: 0 },
        ],
      },
    ],
  },
  'a read beside a revocation, whose reads take turns': {
    setting: { instances: 2, order: 0, readsWait: true, receivers: [200] },
    steps: [
      { deeds: [{ does: 'makeItem', at: 0, who: 1, what: 0, other: 0 }] },
      { deeds: [{ does: 'grant', at: 0, who: 1, what: 0, other: 0 }] },
      {
        deeds: [
          { does: 'readTitle', at: 0, who: 0, what: 0, other: 0 },
          { does: 'revoke', at: 1, who: 1, what: 0, other: 0 },
        ],
      },
    ],
  },
  'a write that a busy database refused, and a read behind it': {
    setting: { instances: 2, order: 0, readsWait: false, receivers: [200] },
    steps: [
      { deeds: [{ does: 'makeItem', at: 0, who: 0, what: 0, other: 0 }] },
      {
        deeds: [{ does: 'writeTitle', at: 0, who: 0, what: 0, other: 0 }],
        mischief: { at: 0, call: 1, how: 'busy' },
      },
      { deeds: [{ does: 'readTitle', at: 0, who: 0, what: 0, other: 0 }] },
      { deeds: [{ does: 'makeItem', at: 0, who: 0, what: 0, other: 0 }] },
    ],
  },
  'rights on an item through a collection of its reader': {
    setting: { instances: 2, order: 0, readsWait: false, receivers: [200] },
    steps: [
      { deeds: [{ does: 'makeItem', at: 0, who: 1, what: 0, other: 0 }] },
      { deeds: [{ does: 'makeCollection', at: 0, who: 0, what: 0, other: 0 }] },
      { deeds: [{ does: 'addMember', at: 0, who: 0, what: 0, other: 0 }] },
      { deeds: [{ does: 'readTitle', at: 0, who: 0, what: 0, other: 0 }] },
    ],
  },
  'a member that is added beside the deletion of its item': {
    setting: { instances: 2, order: 0, readsWait: false, receivers: [200] },
    steps: [
      { deeds: [{ does: 'makeCollection', at: 0, who: 0, what: 0, other: 0 }] },
      { deeds: [{ does: 'makeItem', at: 0, who: 0, what: 0, other: 0 }] },
      {
        deeds: [
          { does: 'addMember', at: 0, who: 0, what: 0, other: 0 },
          { does: 'deleteItem', at: 0, who: 0, what: 0, other: 0 },
        ],
      },
    ],
  },
  'a change whose maker loses its rights meanwhile': {
    setting: { instances: 2, order: 0, readsWait: false, receivers: [200] },
    steps: [
      {
        deeds: [
          { does: 'makeItem', at: 0, who: 0, what: 0, other: 0 },
          { does: 'writeTitle', at: 0, who: 0, what: 0, other: 0 },
        ],
      },
      {
        deeds: [
          { does: 'grant', at: 0, who: 0, what: 0, other: 3 },
          { does: 'makeItem', at: 0, who: 0, what: 0, other: 0 },
          { does: 'writeTitle', at: 0, who: 0, what: 0, other: 0 },
        ],
      },
      {
        deeds: [
          { does: 'revoke', at: 0, who: 0, what: 0, other: 0 },
          { does: 'writeTitle', at: 0, who: 1, what: 0, other: 0 },
          { does: 'work', at: 0, who: 0, what: 0, other: 0 },
        ],
      },
    ],
  },
};
