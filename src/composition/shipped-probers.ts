import { probers, soundReader } from '../../plugins/probers/index.ts';
import { checkedResult, countedSource } from '../production/checking/public-reading.ts';
import type { MeasuredSound, MediaSource, ProbeOptions, ProbeResult, Prober } from '../spi/index.ts';
import { measureBy, probeInTurn, toolsOf } from './media.ts';

export { namedColour } from '../../plugins/probers/colour.ts';

/** Probers for processes that open media. The service itself has them as an extension. */

interface Probing extends ProbeOptions {
  /** Whether the service leaves out the shipped ones. */
  readonly leavesOut?: boolean;
}

/** Asks probers of plugins and then the shipped ones. */
export const probeWithShipped = (
  source: MediaSource,
  { leavesOut = false, ...options }: Probing,
  ofPlugins: readonly Prober[] = [],
): Promise<ProbeResult> => probeInTurn(source, options, { ofPlugins, shipped: leavesOut ? [] : probers });

export const measureWithShipped = (
  source: MediaSource,
  options: Pick<ProbeOptions, 'signal'>,
  report?: (seconds: number) => void,
): Promise<MeasuredSound> => measureBy(soundReader, source, options, report);

export const shippedTools = toolsOf(probers);

/** Bytes of a file that are read for its properties, beside those for the probe. */
const maxEmbeddedBytes = 12 * 1024 * 1024;

/** Adds the properties that a file has of itself. Only processes that open media load the reader. */
export async function withEmbedded(
  source: MediaSource,
  probe: ProbeResult,
  { embedded: wanted = [], maxBytes, signal }: ProbeOptions,
): Promise<ProbeResult> {
  if (wanted.length === 0) return probe;
  const counted = countedSource(source, Math.min(maxBytes, maxEmbeddedBytes), signal);
  const { embeddedProperties } = await import('../../plugins/embedded/index.ts');
  const { embedded, errors } = await embeddedProperties(counted, probe, wanted);
  if (counted.fault) throw counted.fault.error;
  return checkedResult({
    ...probe,
    embedded: { ...embedded, ...probe.embedded },
    warnings: [...probe.warnings, ...errors.map(({ message }) => withoutEmbedded(message))],
  });
}

/** Sentence for the log of a job. The file is imported nevertheless. */
export const withoutEmbedded = (reason: string): string =>
  `Metadata inside the file is left out: ${reason.slice(0, 200)}`;
