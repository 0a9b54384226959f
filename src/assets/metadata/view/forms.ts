import { escapeAttribute, escapeText } from '../../../core/documents/escape.ts';
import { scalarForms } from '../../../core/documents/scalars.ts';
import { elementName } from '../../../core/documents/write.ts';
import type { MediaType } from '../../../http/negotiation.ts';
import type { ChangeRow } from '../merge/stored.ts';

/** Metadata of an entity, without its timespans. */
interface Head {
  readonly revision: string;
  readonly template: string | undefined;
  readonly main: readonly string[] | undefined;
}

/** A value of the terse form. */
interface Terse {
  readonly start: string;
  readonly end: string;
  readonly uuid: string;
  readonly text: string;
}

/** Marks of an instance and its content, both written. */
interface Instance {
  readonly name: string;
  readonly uuid: string;
  readonly marks: string;
}

/** Texts of metadata in one form. Each is what the descriptions in `documents.ts` give. */
export interface MetadataForm {
  /** Between entries of a list. */
  readonly between: string;
  /** User, time and id of a change set. Joined, since engines copy a text made of parts anew wherever it stands. */
  marks(change: ChangeRow): string;
  value(text: string, uuid: string, marks: string, conflict: boolean, language: string | undefined): string;
  field(field: Instance, values: string, conflict: boolean, track: string | undefined): string;
  group(group: Instance, fields: string, groups: string): string;
  computed(name: string, values: readonly string[]): string;
  timespan(start: string, end: string, fields: string, groups: string): string;
  metadata(head: Head, timespans: string): string;
  terse(name: string, value: Terse): string;
  /** Values of a field in the terse form. */
  named(name: string, values: string): string;
}

const { json: text } = scalarForms.string;
const { json: jsonTime } = scalarForms.dateTime;
const { xml: xmlTime } = scalarForms.dateTime;

const json: MetadataForm = {
  between: ',',
  marks: ([id, user, at]) => [',"user":', text(user), ',"timestamp":', jsonTime(at), ',"change":', text(id)].join(''),
  value: (value, uuid, marks, conflict, language) =>
    `{"value":${text(value)},"uuid":"${uuid}"${marks}${conflict ? ',"conflict":true' : ''}${language === undefined ? '' : `,"lang":${text(language)}`}}`,
  field: ({ name, uuid, marks }, values, conflict, track) =>
    `{"name":${text(name)},"value":[${values}],"uuid":"${uuid}"${marks}${conflict ? ',"conflict":true' : ''}${track === undefined ? '' : `,"track":${text(track)}`}}`,
  group: ({ name, uuid, marks }, fields, groups) =>
    `{"name":${text(name)},"field":[${fields}],"group":[${groups}],"uuid":"${uuid}"${marks}}`,
  computed: (name, values) =>
    values.length === 0
      ? `{"name":${text(name)}}`
      : `{"name":${text(name)},"value":[${values.map((value) => `{"value":${text(value)}}`).join(',')}]}`,
  timespan: (start, end, fields, groups) =>
    `{"field":[${fields}],"group":[${groups}],"start":${text(start)},"end":${text(end)}}`,
  metadata: ({ revision, template, main }, timespans) =>
    `${revision === '' ? '' : `"revision":${text(revision)},`}${template === undefined ? '' : `"template":${text(template)},`}${main === undefined ? '' : `"group":[${main.map(text).join(',')}],`}"timespan":[${timespans}]`,
  terse: (_, { start, end, uuid, text: value }) =>
    `{"end":${text(end)},"start":${text(start)},"uuid":"${uuid}","value":${text(value)}}`,
  named: (name, values) => `${JSON.stringify(name)}:[${values}]`,
};

const element = (name: string, value: string): string => `<${name}>${escapeText(value)}</${name}>`;

const xml: MetadataForm = {
  between: '',
  marks: ([id, user, at]) =>
    [` user="${escapeAttribute(user)}"`, ` timestamp="${xmlTime(at)}"`, ` change="${escapeAttribute(id)}"`].join(''),
  value: (value, uuid, marks, conflict, language) =>
    `<value uuid="${uuid}"${marks}${conflict ? ' conflict="true"' : ''}${language === undefined ? '' : ` lang="${escapeAttribute(language)}"`}>${escapeText(value)}</value>`,
  field: ({ name, uuid, marks }, values, conflict, track) =>
    `<field uuid="${uuid}"${marks}${conflict ? ' conflict="true"' : ''}${track === undefined ? '' : ` track="${escapeAttribute(track)}"`}>${element('name', name)}${values}</field>`,
  group: ({ name, uuid, marks }, fields, groups) =>
    `<group uuid="${uuid}"${marks}>${element('name', name)}${fields}${groups}</group>`,
  computed: (name, values) =>
    `<field>${element('name', name)}${values.map((value) => element('value', value)).join('')}</field>`,
  timespan: (start, end, fields, groups) =>
    `<timespan start="${escapeAttribute(start)}" end="${escapeAttribute(end)}">${fields}${groups}</timespan>`,
  metadata: ({ revision, template, main = [] }, timespans) =>
    `${revision === '' ? '' : element('revision', revision)}${template === undefined ? '' : element('template', template)}${main.map((name) => element('group', name)).join('')}${timespans}`,
  terse(key, { start, end, uuid, text: value }) {
    const name = elementName(key);
    return `<${name} end="${escapeAttribute(end)}" start="${escapeAttribute(start)}" uuid="${uuid}">${escapeText(value)}</${name}>`;
  },
  named: (_, values) => values,
};

/** Undefined: documents of the general way. */
export const metadataFormOf = (type: MediaType): MetadataForm | undefined =>
  type === 'application/json' ? json : type === 'application/xml' ? xml : undefined;
