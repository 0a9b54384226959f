import { expect, it } from 'vitest';
import { type Plot, play } from './plot.ts';
import { failAtPoints, patience, stopAtPoints } from './points.ts';

const hooks = (host: string, more: object = {}) => ({ url: `https://${host}/hook`, ...more });

const plots: readonly Plot[] = [
  {
    name: 'a change that is told',
    notifications: [hooks('one')],
    async act({ send, tick }) {
      await send('PUT /API/group/a');
      await tick();
    },
    told: ['one CREATE a 1'],
  },
  {
    name: 'several changes for several receivers, two of them in one lane',
    notifications: [hooks('one', { group: 'g' }), hooks('two', { group: 'g' }), hooks('three')],
    async act({ send, tick }) {
      await send('PUT /API/group/a');
      await send('PUT /API/group/b');
      await tick();
      await send('DELETE /API/group/a');
      await tick();
    },
    told: [
      'one CREATE a 1',
      'one CREATE b 1',
      'one DELETE a 1',
      'three CREATE a 1',
      'three CREATE b 1',
      'three DELETE a 1',
      'two CREATE a 1',
      'two CREATE b 1',
      'two DELETE a 1',
    ],
  },
  {
    name: 'a receiver that fails until the attempts are used up, and the next event',
    notifications: [hooks('one', { retry: 1 })],
    script: { one: [500, 500, 503] },
    async act({ send, settle }) {
      await send('PUT /API/group/a');
      await send('PUT /API/group/b');
      await settle();
    },
    told: ['one CREATE a 1', 'one CREATE a 2', 'one CREATE b 1', 'one CREATE b 2'],
  },
  {
    name: 'a receiver that fails until it is left alone, and comes back',
    notifications: [hooks('one', { retry: 9 })],
    script: { one: [500, 500, 500, 500, 500] },
    async act({ send, settle }) {
      await send('PUT /API/group/a');
      await send('PUT /API/group/b');
      await settle();
    },
    told: [
      'one CREATE a 1',
      'one CREATE a 2',
      'one CREATE a 3',
      'one CREATE a 4',
      'one CREATE a 5',
      'one CREATE a 6',
      'one CREATE b 1',
    ],
  },
  {
    name: 'one that refuses an event, and has it sent again by a person',
    notifications: [hooks('one')],
    script: { one: [400] },
    async act({ ids, send, settle }) {
      await send('PUT /API/group/a');
      await settle();
      await send(`POST /API/group/notification/${ids[0]}/replay?since=2029-12-31T00:00:00Z&only=parked`);
      await settle();
    },
    told: ['one CREATE a 1', 'one CREATE a 2'],
  },
  {
    name: 'a synchronous one that refuses a change beside one that is told afterwards',
    notifications: [hooks('one', { synchronous: true }), hooks('two')],
    script: { one: [200, 403] },
    async act({ send, settle }) {
      await send('PUT /API/group/a');
      await send('PUT /API/group/b');
      await settle();
    },
    told: ['one CREATE a 1', 'one CREATE b 1', 'two CREATE a 1'],
  },
  {
    name: 'a notification that is deleted while something waits for it',
    notifications: [hooks('one', { retry: 5 }), hooks('two')],
    script: { one: [500, 500] },
    async act({ ids, send, tick, settle }) {
      await send('PUT /API/group/a');
      await tick();
      await send('PUT /API/group/b');
      await send(`DELETE /API/group/notification/${ids[0]}`);
      await settle();
    },
    told: ['one CREATE a 1', 'one CREATE a 2', 'one CREATE a 3', 'one CREATE b 1', 'two CREATE a 1', 'two CREATE b 1'],
  },
];

it.each(plots.map((plot, index) => ({ name: plot.name, plot, index })))(
  '$name: the process may stop at any call',
  async ({ plot, index }) => {
    const { calls, stopped, told } = await play(plot);
    expect([stopped, [...told].sort()]).toEqual([false, plot.told]);
    await stopAtPoints(index, calls, (stop) => play(plot, stop));
  },
  patience,
);

it.each(plots.map((plot, index) => ({ name: plot.name, plot, index })))(
  '$name: any call may fail',
  async ({ plot, index }) => {
    const { calls } = await play(plot);
    await failAtPoints(index, calls, (fail) => play(plot, fail));
  },
  patience,
);
