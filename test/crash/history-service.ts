import type { Service } from '../../src/composition/service.ts';
import type { History, Operation } from '../simulation/history.ts';
import { ask } from './jobs-service.ts';

/** Value of a deleted item, beside its titles. */
export const gone = 'gone';

/** Items that there may be. */
export const limit = 5;

/** Sets the limit, and registers a notification of items, unless they are there. */
export async function prepare(service: Service, address: string): Promise<void> {
  if ((await service.store.read('SELECT 1 FROM quota_rule')).length > 0) return;
  const http = { url: `${address}/items`, contentType: 'application/json', retry: 1_000 };
  await ask(service, 'POST /API/item/notification', {
    action: { http },
    trigger: { item: { create: '', delete: '' } },
  });
  await ask(service, 'POST /API/quota', { enforce: true, resource: [{ name: 'item', limit }] });
}

interface Line {
  readonly number?: string;
  readonly kind?: string;
  readonly key?: string;
  readonly value?: string | undefined;
  readonly id?: string;
  readonly ok?: true;
  readonly quota?: number;
}

/** Requests of the clients of all lives, by the lines that they told. */
export function readLines(lines: readonly string[]): Pick<History, 'operations' | 'quotas'> {
  const open = new Map<string, Line & { readonly invoked: number }>();
  const operations: Operation[] = [];
  const quotas: History['quotas'][number][] = [];
  /** First request for the deletion of each item. The next life asks again for what was not answered. */
  const deletions = new Map<string, number>();
  const end = (
    { kind, key = '', value, id, invoked }: Line & { readonly invoked: number },
    answered: number | undefined,
  ) => {
    if (kind === 'delete') {
      const isTold = operations.some((each) => each.key === key && each.value === gone);
      const begun = deletions.get(key)!;
      if (!isTold) operations.push({ kind: 'write', key, value: gone, invoked: begun, answered });
      return;
    }
    if (kind !== 'create') return void operations.push({ kind: kind as 'read', key, value, invoked, answered });
    operations.push({ kind: 'create', key, id: id && `item ${id}`, invoked, answered });
    // A second answer with the same key is about the same write.
    const isFirst = !operations.some((each) => each.kind === 'write' && each.key === id);
    if (id !== undefined && isFirst) operations.push({ kind: 'write', key: id, value, invoked, answered });
  };
  for (const [at, text] of lines.entries()) {
    const line = JSON.parse(text) as Line;
    if (line.quota !== undefined) quotas.push({ limit, used: line.quota });
    else if (line.kind !== undefined) {
      open.set(line.number!, { ...line, invoked: at });
      if (line.kind === 'delete' && !deletions.has(line.key!)) deletions.set(line.key!, at);
    } else {
      const begun = open.get(line.number!)!;
      open.delete(line.number!);
      // Somebody else may have deleted it, or the limit is reached: a refusal changes nothing.
      if (line.ok) end({ ...begun, ...(line.id && { id: line.id }), value: begun.value ?? line.value }, at);
    }
  }
  for (const begun of open.values()) if (begun.kind !== 'read') end(begun, undefined);
  return { operations, quotas };
}
