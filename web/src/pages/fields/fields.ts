import type { MetadataFieldDocument, MetadataFieldGroupDocument } from 'portico/types';

/** A field as its form has it: data by key, and each value of the enumeration as a line. */
export interface FieldForm {
  readonly name?: string;
  readonly type?: MetadataFieldDocument['type'];
  readonly system?: string;
  readonly data?: Readonly<Record<string, string | boolean>>;
  readonly values?: readonly string[];
}

/** Data that pages know, in the order of the form. */
export const dataKeys = ['label_en', 'label_sv', 'ui_order', 'ui_form', 'facet', 'ui_hidden'] as const;

/** Data of a group whose fields make the form of items that have no group. */
const inNewForms = 'ui_default';

/** The technical name of a field by its label: a category, an underscore, and small letters. */
export function nameOfLabel(label: string): string {
  const letters = label.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const name = letters.replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  return name === '' ? '' : `asset_${name}`;
}

export function formOf({ name, type, system, data = [], values }: MetadataFieldDocument): FieldForm {
  const dataPairs = data.flatMap(({ key = '', value = '' }): [string, string][] =>
    dataKeys.some((each) => each === key) && value !== '' && value !== 'false' ? [[key, value]] : [],
  );
  const lines = (values?.field ?? []).map(({ key, value }) => {
    const text = (typeof value === 'object' ? value.value : value) ?? '';
    return text === '' || text === key ? key : `${key} = ${text}`;
  });
  return {
    ...(name !== undefined && { name }),
    ...(type && { type }),
    ...(system !== undefined && { system }),
    ...(dataPairs.length > 0 && { data: Object.fromEntries(dataPairs) }),
    ...(lines.length > 0 && { values: lines }),
  };
}

/** The document to send, and the keys of data that are taken out. */
export function fieldOf({ type, data = {}, values = [] }: FieldForm, before?: FieldForm) {
  const field = values.map((line) => {
    const [, key, text] = /^([^=]*)(?:=(.*))?$/.exec(line)!.map((part) => part?.trim());
    return { key: key!, value: text || key! };
  });
  const document: MetadataFieldDocument = {
    ...(type && { type }),
    data: Object.entries(data).map(([key, value]) => ({ key, value: String(value) })),
    values: { field },
  };
  return { document, removed: Object.keys(before?.data ?? {}).filter((key) => data[key] === undefined) };
}

/** A group of fields as its form has it: names of members as lines. */
export interface GroupForm {
  readonly name?: string;
  /** In the form of items without a group. */
  readonly isDefault?: boolean;
  readonly field?: readonly string[];
  readonly group?: readonly string[];
}

const namesOf = (members: readonly { readonly name?: string | undefined }[] = []) =>
  members.map(({ name = '' }) => name);

export const groupFormOf = ({ name = '', data, field, group }: MetadataFieldGroupDocument): GroupForm => ({
  name,
  ...(data?.some(({ key, value }) => key === inNewForms && value === 'true') && { isDefault: true }),
  ...(field?.length && { field: namesOf(field) }),
  ...(group?.length && { group: namesOf(group) }),
});

/** The document with the members of the form. Members that stay keep how often they may be there. */
export function groupOf(
  { isDefault = false, field = [], group = [] }: GroupForm,
  now: MetadataFieldGroupDocument = {},
) {
  const membersOf = (names: readonly string[], members: MetadataFieldGroupDocument['field'] = []) =>
    names.map((name) => {
      const schema = members.find((member) => member.name === name)?.schema;
      return schema ? { name, schema } : { name };
    });
  return {
    data: [{ key: inNewForms, value: String(isDefault) }],
    field: membersOf(field, now.field),
    group: membersOf(group, now.group as MetadataFieldGroupDocument['field']),
  };
}
