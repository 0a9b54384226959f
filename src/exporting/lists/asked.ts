import type { HeldJob, Memo } from '../../jobs/job-type.ts';
import type { Format } from './parameters.ts';

/** A list of items as its job knows it. */
export interface AskedList {
  readonly uri: string;
  readonly format: Format;
  readonly fields: readonly string[] | undefined;
  readonly data: readonly string[] | undefined;
  readonly p: string | undefined;
  /** Undefined: all items. */
  readonly library: string | undefined;
  /** Only items that they may read, too. */
  readonly user: string | undefined;
  readonly group: string | undefined;
  /** Stylesheet that transforms the list. */
  readonly stylesheet?: string | undefined;
}

export const memoOfList = ({ fields, data, ...asked }: AskedList): Memo => ({
  ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)),
  ...(fields && { fields: JSON.stringify(fields) }),
  ...(data && { data: JSON.stringify(data) }),
});

export function askedListOf({ memo }: Pick<HeldJob, 'memo'>): AskedList {
  const text = (key: string) => (typeof memo[key] === 'string' ? memo[key] : undefined);
  const texts = (key: string) => {
    const found = text(key);
    return found === undefined ? undefined : (JSON.parse(found) as string[]);
  };
  return {
    uri: text('uri')!,
    format: text('format') as Format,
    fields: texts('fields'),
    data: texts('data'),
    p: text('p'),
    library: text('library'),
    user: text('user'),
    group: text('group'),
    stylesheet: text('stylesheet'),
  };
}
