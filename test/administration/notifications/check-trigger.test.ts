import { describe, expect, it } from 'vitest';
import { checkTrigger, type NotificationResource } from '../../../src/administration/notifications/trigger/check.ts';
import { triggerEvents, triggers } from '../../support/declared.ts';
import { refusal } from '../../support/thrown.ts';
import { elementsOf, notification } from './support.ts';

const root = '/NotificationDocument/trigger';

describe('a trigger is taken where it belongs', () => {
  it.each(triggerEvents)('%s', (name) => {
    expect(() => checkTrigger(triggers, notification(elementsOf(name)), triggers.of(name).resource)).not.toThrow();
  });

  it.each<[NotificationResource, string, string]>([
    [
      '/job',
      '<item><create/></item>',
      'Expected "job" at /job/notification, or this one at /item/notification: "item"',
    ],
    [
      '/item',
      '<file><new/></file>',
      'Expected one of "item", "metadata", "access", "shape", "usage", "annotation", "approval" at /item/notification, or this one at /storage/file/notification: "file"',
    ],
    [
      '/storage',
      '<file><new/></file>',
      'Expected "storage" at /storage/notification, or this one at /storage/file/notification: "file"',
    ],
    [
      '/group',
      '<document><create/></document>',
      'Expected "group" at /group/notification, or this one at /document/notification: "document"',
    ],
    ['/group', '', 'Expected "group" at /group/notification: none'],
    [
      '/notification',
      '<group><create/></group>',
      'Expected one of "job", "notification" at /notification, or this one at /group/notification: "group"',
    ],
  ])('and refused at %s: %s', (resource, trigger, explanation) => {
    const error = refusal(() => checkTrigger(triggers, notification(trigger), resource));
    expect(error.code).toBe('bad-value');
    expect(error.detail).toMatchObject({ context: root, explanation });
  });
});

describe('the trigger of a notification that is created at /notification', () => {
  it('may have no trigger, or the trigger of a placeholder', () => {
    expect(() => checkTrigger(triggers, notification(''), '/notification')).not.toThrow();
    const sent = notification('<job><stop/><placeholder>true</placeholder></job>');
    expect(() => checkTrigger(triggers, sent, '/notification')).not.toThrow();
    expect(() => checkTrigger(triggers, sent, '/job')).not.toThrow();
  });

  it.each([
    ['', 'none'],
    ['<placeholder>false</placeholder>', '"false"'],
  ])('is no ordinary notification: %s', (placeholder, found) => {
    const sent = notification(`<job><stop/>${placeholder}</job>`);
    const { detail } = refusal(() => checkTrigger(triggers, sent, '/notification'));
    expect(detail.context).toBe(`${root}/job/placeholder`);
    expect(detail.explanation).toMatch(new RegExp(`^Expected "true": .*: ${found}$`));
  });
});

describe('a trigger that could never fire is refused', () => {
  it.each<[NotificationResource, string, string, string | undefined]>([
    ['/item', '<item><modify/></item>', '/item/modify', 'item/modify'],
    ['/item', '<item><create/><modify/></item>', '/item/modify', 'item/modify'],
    [
      '/collection',
      '<collection><item><create/></item></collection>',
      '/collection/item/create',
      'collection/item/create',
    ],
    [
      '/collection',
      '<collection><create/><item><delete/></item></collection>',
      '/collection/item/delete',
      'collection/item/delete',
    ],
    ['/collection', '<collection><item/></collection>', '', undefined],
  ])('at %s: %s', (resource, trigger, place, found) => {
    const { detail } = refusal(() => checkTrigger(triggers, notification(trigger), resource));
    expect(detail.context).toBe(`${root}${place}`);
    expect(detail.value).toBe(found);
    expect(detail.explanation).toMatch(/^Expected an event that can happen, one of "\w+\/create", /);
  });
});

describe('parameters that cannot be used are refused by name', () => {
  const many = Array.from({ length: 101 }, (_, index) => `f${index}`).join();
  const metadata = (parameters: string) => `<metadata><modify>${parameters}</modify></metadata>`;
  const filter = (criteria: string) => `<job><stop/><filter>${criteria}</filter></job>`;

  it.each<[NotificationResource, string, place: string, explanation: string]>([
    ['/item', metadata(`<field>${many}</field>`), 'metadata/modify/field', 'Expected at most 100 names: "101"'],
    [
      '/item',
      metadata(`<field>${'f'.repeat(256)}</field>`),
      'metadata/modify/field',
      'Expected names of at most 255 characters: "fff',
    ],
    [
      '/item',
      metadata(`<language>${'*'.repeat(256)}</language>`),
      'metadata/modify/language',
      'Expected names of at most 255',
    ],
    ['/item', metadata('<track>A4-2</track>'), 'metadata/modify/track', ': "A4-2"'],
    ['/item', metadata('<track>A0</track>'), 'metadata/modify/track', ': "A0"'],
    [
      '/item',
      metadata('<track>A1,A</track>'),
      'metadata/modify/track',
      'Expected tracks such as "A1", "A2-4", "A*", "generic" or "all": "A"',
    ],
    [
      '/item',
      metadata('<interval>10@FILM-20</interval>'),
      'metadata/modify/interval',
      'Expected spans such as "10-20.5" or "250@PAL-500@PAL", "generic" or "all": "10@FILM-20"',
    ],
    [
      '/collection',
      `<collection>${metadata('<interval>generisch</interval>')}</collection>`,
      'collection/metadata/modify/interval',
      'Expected spans',
    ],
    ['/job', filter(`<type>${many}</type>`), 'job/filter/type', 'Expected at most 100 names: "101"'],
    ['/job', filter('<jobdata><key/></jobdata>'), 'job/filter/jobdata/key', 'Expected a key: ""'],
    [
      '/job',
      filter('<jobdata><key-regex>[</key-regex></jobdata>'),
      'job/filter/jobdata/key-regex',
      'Expected a regular expression, as RE2 reads them (missing closing ]): "["',
    ],
    [
      '/job',
      filter('<jobdata><key>a</key><value-regex>(</value-regex></jobdata>'),
      'job/filter/jobdata/value-regex',
      'Expected a regular expression, as RE2 reads them (missing closing )): "("',
    ],
    [
      '/storage/file',
      `<file><new/><storage>${'s'.repeat(256)}</storage></file>`,
      'file/storage',
      'Expected names of at most 255',
    ],
  ])('at %s: %s', (resource, trigger, place, explanation) => {
    const error = refusal(() => checkTrigger(triggers, notification(trigger), resource));
    expect(error.code).toBe('bad-value');
    expect(error.detail.context).toBe(`${root}/${place}`);
    expect(error.detail.explanation).toContain(explanation);
    expect(error.detail.value!.length).toBeLessThanOrEqual(80);
  });
});
