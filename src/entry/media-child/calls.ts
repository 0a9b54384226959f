import { measureWithShipped, probeWithShipped } from '../../composition/media.ts';
import type { MediaSource, ProbeOptions } from '../../spi/index.ts';
import { convertCall, cutCall, encodersCall, stillsCall } from './library-calls.ts';
import { madeProber, type ToldProber } from './plugin-probers.ts';

/** What a media process can be asked for, by name. The input is what the service sent, and the result is sent back. */
export type Call = (source: MediaSource, input: never, tell: (progress: unknown) => void) => Promise<unknown>;

/** The process is killed where a call has to end early. */
const endless = new AbortController().signal;

interface ProbeInput extends Pick<ProbeOptions, 'maxBytes'> {
  /** Those of plugins. */
  readonly probers: readonly ToldProber[];
}

export const calls: Readonly<Record<string, Call>> = {
  probe: async (source, { maxBytes, probers }: ProbeInput) =>
    probeWithShipped(source, { maxBytes, signal: endless }, await Promise.all(probers.map(madeProber))),
  sound: async (source, _input, tell) => {
    const { channels, ...measured } = await measureWithShipped(source, { signal: endless }, tell);
    const sent = channels.map(({ levels, ...each }) => ({ ...each, levels: Buffer.from(levels).toString('base64') }));
    return { ...measured, channels: sent };
  },
  encoders: encodersCall,
  convert: convertCall,
  cut: cutCall,
  stills: stillsCall,
};
