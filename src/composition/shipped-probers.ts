import { probers, soundReader } from '../../plugins/probers/index.ts';
import type { MeasuredSound, MediaSource, ProbeOptions, ProbeResult, Prober } from '../spi/index.ts';
import { measureBy, probeInTurn, toolsOf } from './media.ts';

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
