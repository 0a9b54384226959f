import { describe, expect, it } from 'vitest';
import { laneOf } from '../../../src/administration/notifications/secrets/endpoint.ts';
import { maskSecret, unmask } from '../../../src/administration/notifications/secrets/masking.ts';
import { refusal } from '../../support/thrown.ts';
import { notification } from './support.ts';

const trigger = '<group><create/></group>';
const withAction = (action: string) => notification(trigger, action);
const jms = (password: string, factory = 'f', user = 'u') =>
  withAction(
    `<jms><queue>q</queue><queueFactory>${factory}</queueFactory><username>${user}</username>${password && `<password>${password}</password>`}</jms>`,
  );
const sqs = (secret: string, endpoint = 'https://sqs.example/', key = 'k') =>
  withAction(
    `<sqs><queue>q</queue><endpoint>${endpoint}</endpoint><accessKey>${key}</accessKey><secret>${secret}</secret></sqs>`,
  );
const sns = (secret: string) => withAction(`<sns><topic>t</topic><secret>${secret}</secret></sns>`);
const digest = (text: string) => `#${text.length}`;

describe('the secret of an action', () => {
  it.each([
    ['jms', jms('hidden'), jms('***')],
    ['sqs', sqs('hidden'), sqs('***')],
    ['sns', sns('hidden'), sns('***')],
    [
      'http',
      withAction('<http><url>http://u:p%40ss@a.example/x</url></http>'),
      withAction('<http><url>http://***:***@a.example/x</url></http>'),
    ],
    [
      'http with a user only',
      withAction('<http><url>http://token@a.example/x</url></http>'),
      withAction('<http><url>http://***:***@a.example/x</url></http>'),
    ],
  ])('of %s is taken out and put back', (_kind, sent, masked) => {
    const found = maskSecret(sent, undefined);
    expect([found.masked, found.keeps]).toEqual([masked, false]);
    const again = unmask(found.masked, found.secret!);
    expect(maskSecret(again, undefined)).toEqual(found);
    expect(maskSecret(masked, masked)).toEqual({ masked, secret: undefined, keeps: true });
  });

  it.each([
    ['ejb', withAction('<ejb><bean>b</bean><method>m</method></ejb>')],
    ['javascript', withAction('<javascript><script>s</script></javascript>')],
    ['http without credentials', withAction('<http><url>http://a.example/x</url></http>')],
    ['jms without a password', jms('')],
  ])('of %s is none', (_kind, sent) => {
    expect(maskSecret(sent, undefined)).toEqual({ masked: sent, secret: undefined, keeps: false });
    expect(unmask(sent, 'x')).toEqual(sent);
  });

  it.each([
    ['another broker', jms('***', 'g'), jms('***')],
    ['another user', jms('***', 'f', 'v'), jms('***')],
    ['another endpoint', sqs('***', 'https://evil.example/'), sqs('***')],
    ['another key', sqs('***', undefined, 'other'), sqs('***')],
    ['another kind of action', sns('***'), sqs('***')],
    ['nothing stored', sns('***'), undefined],
  ])('is not kept for %s', (_what, sent, stored) => {
    expect(refusal(() => maskSecret(sent, stored)).detail.explanation).toMatch(/^Expected the credentials themselves/);
  });
});

describe('the mask of one part of the credentials of an address', () => {
  const http = (url: string) => withAction(`<http><url>${url}</url></http>`);
  const stored = http('http://***:***@a.example/x');
  const secretOf = (credentials: string, before: string) => {
    const { masked, keeps, secret, complete } = maskSecret(http(`http://${credentials}@a.example/y`), stored);
    expect(masked).toEqual(http('http://***:***@a.example/y'));
    expect([keeps, secret]).toEqual([false, undefined]);
    return complete!(before);
  };

  it.each([
    ['bob:***', 'bob:s%3Acret'],
    ['bob:%2A%2a*', 'bob:s%3Acret'],
    ['***:new', 'ann:new'],
    ['***', 'ann:'],
    [':***', ':s%3Acret'],
  ])('%s stands for that part', (sent, whole) => expect(secretOf(sent, 'ann:s%3Acret')).toBe(whole));

  it.each(['***:***', '%2A%2A%2A:***', '%2a%2a%2a:%2A**'])('%s stands for both', (sent) => {
    const found = maskSecret(http(`http://${sent}@a.example/y`), stored);
    expect(found).toEqual({ masked: http('http://***:***@a.example/y'), secret: undefined, keeps: true });
  });

  it.each([
    ['bob:***', 'ann:'],
    ['***:new', ':s'],
    ['***', ''],
  ])('%s is refused where %j is stored, which has no such part', (sent, before) => {
    expect(refusal(() => secretOf(sent, before)).detail.explanation).toMatch(/because nothing is stored .*: "\*\*\*"$/);
  });

  it.each(['****', '%252A%252A%252A', '***%zz'])('is not %s', (password) => {
    expect(maskSecret(http(`http://bob:${password}@a.example/y`), stored).secret).toBe(`bob:${password}`);
  });

  it('is no more than itself in a text that nobody decodes', () => {
    expect(maskSecret(jms('%2A%2A%2A'), jms('***')).secret).toBe('%2A%2A%2A');
  });
});

describe('the lane of a notification', () => {
  it.each([
    ['http:https://a.example/x?y=1', '<http><url>HTTPS://u:p@A.example:443/x?y=1</url></http>'],
    ['group:desk', '<http group="desk"><url>http://a.example/</url></http>'],
    ['http:http://a.example/', '<http group=" "><url>http://a.example</url></http>'],
    ['ejb:b#m', '<ejb><bean>b</bean><method>m</method></ejb>'],
    ['jms:f/q', '<jms><queue>q</queue><queueFactory>f</queueFactory></jms>'],
    ['sqs:https://sqs.example//q', '<sqs><queue>q</queue><endpoint>https://sqs.example/</endpoint></sqs>'],
    ['sns:e/t', '<sns><endpoint>e</endpoint><topic>t</topic></sns>'],
    ['javascript:s()', '<javascript><script>s()</script></javascript>'],
  ])('is %s', (lane, action) => expect(laneOf(withAction(action), digest)).toBe(lane));

  it('is short, and another one for another long endpoint', () => {
    const lanes = ['a', 'aa'].map((end) =>
      laneOf(withAction(`<javascript><script>${'s'.repeat(5000)}${end}</script></javascript>`), digest),
    );
    expect(lanes.every((lane) => lane.length <= 300)).toBe(true);
    expect(new Set(lanes).size).toBe(2);
  });
});
