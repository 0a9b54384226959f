import { createOutbound } from '../core/outbound/outbound.ts';
import { Exporter, type ExporterParts } from '../core/telemetry/exporter.ts';
import type { Platform } from './platform.ts';
import type { Settings } from './settings.ts';

interface Parts extends Omit<ExporterParts, 'call' | 'settings'>, Pick<Platform, 'wire'> {
  readonly settings: Settings;
}

/** Undefined without a collector. Its address is a setting of the operator, and callable wherever it is. */
export function createExporter({ wire, ...parts }: Parts): Exporter | undefined {
  const { otelExporterOtlpEndpoint: address, outboundAllow } = parts.settings;
  if (address === '') return undefined;
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '');
  const { call } = createOutbound({ wire, allow: [...outboundAllow, host], clock: parts.clock });
  return new Exporter({ ...parts, call });
}
