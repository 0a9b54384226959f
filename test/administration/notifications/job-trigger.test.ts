import { describe, expect, it } from 'vitest';
import { compileFilter, matches } from '../../../src/administration/notifications/trigger/filter.ts';
import { subscriptionsOf } from '../../../src/administration/notifications/trigger/subscriptions.ts';
import type { JobState } from '../../../src/core/events/payloads.ts';
import { happened, triggers } from '../../support/declared.ts';
import { refusal } from '../../support/thrown.ts';
import { fires, notification } from './support.ts';

const stopped = (more: Partial<JobState> = {}) =>
  happened('job/stop', 'VX-501', { jobId: 'VX-501', type: 'TRANSCODE', status: 'FINISHED', ...more });

const filtered = (criteria: string) => notification(`<job><stop/><filter>${criteria}</filter></job>`);
const byData = (criteria: string) => filtered(`<jobdata>${criteria}</jobdata>`);

describe('the filter of a job trigger', () => {
  const data = [
    ['origin', 'desk-7'],
    ['title', 'Harbour\nat night'],
    ['tags', 'lowres'],
    ['tags', 'web'],
  ] as const;

  it.each<[criteria: string, job: Partial<JobState>, fires: boolean]>([
    ['', {}, true],
    ['<type/>', {}, true],
    ['<type>TRANSCODE</type>', {}, true],
    ['<type>IMPORT</type><type>TRANSCODE</type>', {}, true],
    ['<type>IMPORT, TRANSCODE</type>', {}, true],
    ['<type>IMPORT,EXPORT</type><type>THUMBNAIL</type>', {}, false],
    ['<type>transcode</type>', {}, false],
    ['<type>TRANS.*</type>', {}, false],

    ['<step>2</step>', { currentStepNumber: 2, step: 200 }, true],
    ['<step>200</step>', { currentStepNumber: 2, step: 200 }, true],
    ['<step>20</step>', { currentStepNumber: 2, step: 200 }, false],
    ['<step>0</step>', {}, false],

    ['<jobdata><key>origin</key></jobdata>', { data }, true],
    ['<jobdata><key>origi</key></jobdata>', { data }, false],
    ['<jobdata><key>origin</key><value>desk-7</value></jobdata>', { data }, true],
    ['<jobdata><key>origin</key><value>desk</value></jobdata>', { data }, false],
    ['<jobdata><key>origin</key><value>desk-.*</value></jobdata>', { data }, false],
    ['<jobdata><key>tags</key><value>web</value></jobdata>', { data }, true],
    ['<jobdata><key>origin</key><value>web</value></jobdata>', { data }, false],
    ['<jobdata><key-regex>or.*</key-regex><value-regex>desk-\\d</value-regex></jobdata>', { data }, true],
    ['<jobdata><key-regex>or</key-regex></jobdata>', { data }, false],
    ['<jobdata><key-regex>origin|tags</key-regex><value>web</value></jobdata>', { data }, true],
    ['<jobdata><key>origin</key><value-regex>DESK-.*</value-regex></jobdata>', { data }, false],
    ['<jobdata><key>origin</key><value-regex>(?i)DESK-.*</value-regex></jobdata>', { data }, true],
    ['<jobdata><key>title</key><value-regex>Harbour.*</value-regex></jobdata>', { data }, false],
    ['<jobdata><key>title</key><value-regex>(?s)Harbour.*</value-regex></jobdata>', { data }, true],
    ['<jobdata><key>origin</key></jobdata>', {}, false],
    ['<jobdata><key>itemId</key><value>VX-7</value></jobdata>', { itemId: 'VX-7' }, true],
    ['<jobdata><key>item</key><value>VX-7</value></jobdata>', { itemId: 'VX-7' }, false],
    ['<jobdata><key>origin</key><value/></jobdata>', { data: [['origin', '']] }, true],
    ['<jobdata><key>origin</key><value/></jobdata>', { data }, false],

    ['<type>TRANSCODE</type><step>2</step><jobdata><key>origin</key></jobdata>', { data, step: 2 }, true],
    ['<type>TRANSCODE</type><step>3</step><jobdata><key>origin</key></jobdata>', { data, step: 2 }, false],
    ['<type>EXPORT</type><step>2</step><jobdata><key>origin</key></jobdata>', { data, step: 2 }, false],
    ['<type>TRANSCODE</type><step>2</step><jobdata><key>desk</key></jobdata>', { data, step: 2 }, false],
  ])('%s and %j: %j', (criteria, job, expected) => {
    expect(fires(filtered(criteria), stopped(job))).toBe(expected);
  });

  it('matches one pair with both halves, not the key of one and the value of another', () => {
    const sent = byData('<key-regex>a|b</key-regex><value-regex>[12]</value-regex>');
    const firesFor = (...data: (readonly [key: string, value: string])[]) => fires(sent, stopped({ data }));
    expect(firesFor(['a', '3'], ['c', '1'])).toBe(false);
    expect(firesFor(['a', '3'], ['b', '1'])).toBe(true);
  });

  it('puts each type where an index looks', () => {
    expect(subscriptionsOf(triggers, filtered('<type>IMPORT,EXPORT</type><type>IMPORT</type>'))[0]?.selectors).toEqual([
      'IMPORT',
      'EXPORT',
    ]);
  });
});

describe('a placeholder', () => {
  const placeholder = notification('<job><stop/><placeholder>true</placeholder></job>');

  it('fires only for jobs that were started with its id, several of them', () => {
    expect(fires(placeholder, stopped({ notification: 'VX-40' }), 'VX-40')).toBe(true);
    expect(fires(placeholder, stopped({ jobId: 'VX-502', notification: 'VX-40' }), 'VX-40')).toBe(true);
    expect(fires(placeholder, stopped({ notification: 'VX-41' }), 'VX-40')).toBe(false);
    expect(fires(placeholder, stopped(), 'VX-40')).toBe(false);
  });

  it('is found by its id alone: no other job ever asks it', () => {
    expect(subscriptionsOf(triggers, placeholder, 'VX-40')[0]?.selectors).toEqual(['notification=VX-40']);
  });

  it('is not fired by a job that an index finds for it by mistake', () => {
    const filter = compileFilter(subscriptionsOf(triggers, placeholder, 'VX-40')[0]!.filter!);
    expect(matches(filter, stopped({ notification: 'VX-41' }))).toBe(false);
    expect(matches(filter, stopped())).toBe(false);
    expect(matches(filter, stopped({ notification: 'VX-40' }))).toBe(true);
  });

  it('fires for its own events only, and may have a filter', () => {
    const sent = notification(
      '<job><create/><placeholder>true</placeholder><filter><type>IMPORT</type></filter></job>',
    );
    const created = (type: string) =>
      happened('job/create', 'VX-1', { jobId: 'VX-1', type, status: 'READY', notification: 'VX-40' });
    expect(fires(sent, created('IMPORT'), 'VX-40')).toBe(true);
    expect(fires(sent, created('EXPORT'), 'VX-40')).toBe(false);
    expect(fires(sent, stopped({ type: 'IMPORT', notification: 'VX-40' }), 'VX-40')).toBe(false);
  });

  it('without a trigger is told of the end of its jobs', () => {
    expect(subscriptionsOf(triggers, notification(''), 'VX-40').map(({ event }) => event)).toEqual(['job/stop']);
    expect(fires(notification(''), stopped({ notification: 'VX-40' }), 'VX-40')).toBe(true);
    expect(fires(notification(''), stopped(), 'VX-40')).toBe(false);
  });

  it('leaves ordinary notifications to fire for the same job', () => {
    expect(fires(notification('<job><stop/></job>'), stopped({ notification: 'VX-40' }))).toBe(true);
    const explicit = notification('<job><stop/><placeholder>false</placeholder></job>');
    expect(fires(explicit, stopped())).toBe(true);
  });

  it('without its id is a mistake of ours that shows', () => {
    expect(refusal(() => subscriptionsOf(triggers, placeholder)).code).toBe('internal');
  });
});
