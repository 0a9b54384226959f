import type { Reader } from '../../core/store/statement.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import type { ArchivedFile } from './archived.ts';
import type { Restore } from './documents.ts';

interface Price {
  readonly gigabyte: number;
  readonly thousandRequests: number;
  readonly currency: string;
}

/** Amazon counts a gigabyte so. */
const gigabyte = 1024 ** 3;

/** `0.0025 USD`, or `0.0025 0.025 USD` with the price of a thousand requests. */
function priceIn(text: string | undefined): Price | undefined {
  const [, first, second = '0', currency] =
    /^(\d{1,9}(?:\.\d{1,9})?)(?: (\d{1,9}(?:\.\d{1,9})?))? ([A-Z]{3})$/.exec(text?.trim() ?? '') ?? [];
  if (first === undefined || currency === undefined) return undefined;
  return { gigabyte: Number(first), thousandRequests: Number(second), currency };
}

/** Key of the metadata of a storage that has a price. */
const priceKey = (storageClass: string, tier: string): string => `restorePrice_${storageClass}_${tier}`;

/** Time and cost of a restore. A tier counts that all files have. */
export async function estimateOf(reader: Reader, files: readonly ArchivedFile[]): Promise<Restore> {
  const archived = files.filter(({ archive }) => archive.state === 'archived');
  const storages = [...new Set(archived.map(({ row }) => row.storageId))];
  const pairs = await keyValuesOf(reader, 'storage', storages);
  const priceOf = ({ row, archive }: ArchivedFile, tier: string) =>
    priceIn(pairs.get(row.storageId)?.find(({ key }) => key === priceKey(archive.storageClass, tier))?.value);
  const names = archived[0]?.tiers.map(({ name }) => name) ?? [];

  function tierNamed(name: string) {
    const tiers = archived.map((file) => file.tiers.find((tier) => tier.name === name));
    if (tiers.includes(undefined)) return [];
    const [least, most] = [Math.max(...tiers.map((tier) => tier!.least)), Math.max(...tiers.map((tier) => tier!.most))];
    return [{ name, least, most, ...costOf(name) }];
  }

  function costOf(name: string): { readonly cost: number; readonly currency: string } | undefined {
    let cost = 0;
    let currency: string | undefined;
    for (const file of archived) {
      const price = priceOf(file, name);
      if (!price || (currency ?? price.currency) !== price.currency) return undefined;
      currency = price.currency;
      cost += ((file.row.size ?? 0) / gigabyte) * price.gigabyte + price.thousandRequests / 1000;
    }
    return currency === undefined ? undefined : { cost: Math.ceil(cost * 10_000) / 10_000, currency };
  }

  return {
    bytes: archived.reduce((sum, { row }) => sum + (row.size ?? 0), 0),
    file: files.map(({ row: { id, size }, archive: { state, storageClass, until } }) => ({
      ...{ id, state },
      ...(size !== null && { size }),
      ...(storageClass !== '' && { storageClass }),
      ...(until !== undefined && { until }),
    })),
    tier: names.flatMap(tierNamed),
  };
}
