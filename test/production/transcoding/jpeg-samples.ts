import { joined } from '../../../src/core/lib/bytes.ts';

const bytesOf = (...lines: readonly string[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(lines.join('')), (char) => char.charCodeAt(0));

/** Gradients with noise, as libjpeg-turbo writes them: 37 by 29 pixels with ten scans, and 19 by 21 pixels in four inks. */
export const samples = {
  progressive: bytesOf(
    '/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHj',
    'shITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wgARCAAdACUDASIAAhEBAxEB/8QAGQAA',
    'AwEBAQAAAAAAAAAAAAAAAAEDAgQF/8QAGAEBAQADAAAAAAAAAAAAAAAAAgMAAQT/2gAMAwEAAhADEAAAAfOs7IlnXWBkk+aqoouOZjqQy6//xA',
    'AaEAEBAAMBAQAAAAAAAAAAAAABAAIDEBEh/9oACAEBAAEFAggggvIIIIsthjB3LZBwLZk+hPy//8QAGhEAAgMBAQAAAAAAAAAAAAAAAAECAxEQ',
    'Qf/aAAgBAwEBPwHTRQlyuv1jvinh/8QAHREAAgEEAwAAAAAAAAAAAAAAAAIRAQMSMRMhYf/aAAgBAgEBPwGCsLs5PB7saFSe2MT/xAAaEAAABw',
    'AAAAAAAAAAAAAAAAACEBESIDCR/9oACAEBAAY/ArUDsGn/AP/EABsQAQACAwEBAAAAAAAAAAAAAAEAEBEgIWFB/9oACAEBAAE/IdBQ0EcRHDlf',
    'KACBmocIVZwcPvtDUBP/2gAMAwEAAgADAAAAEPmDUpv/AP/EABcRAQEBAQAAAAAAAAAAAAAAAAEAEWH/2gAIAQMBAT8QhqQaEdgAhktv/8QAGB',
    'EBAQEBAQAAAAAAAAAAAAAAAQARITH/2gAIAQIBAT8QjDVYfGw8GTu2Nm3/xAAhEAACAgIBBAMAAAAAAAAAAAAAARExIVFhQXGBkaGx0f/aAAgB',
    'AQABPxA+D2cQ7Rix9D9FOMENL2ImqRFfAylr5K2XF6HNpcC4c8y00rx+nZDNzGIENT1EnMKShclIqUOBSUTR/9k=',
  ),
  inks: bytesOf(
    '/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAUDg8SDw0UEhASFxUUGB4yIR4cHB49LC4kMklATEtHQEZFUFpzYlBVbVZFRmSIZW13e4GCgU5gjZeMfZ',
    'ZzfoF8/8AAFAgAFQATBEMRAE0RAFkRAEsRAP/EABoAAAMAAwEAAAAAAAAAAAAAAAMEBQECBgD/xAAyEAACAQMDAQQHCQEAAAAAAAABAhEAAyEE',
    'EjFBIlFhkQUTMmJxgfAGFCNCQ1KhsfHB/9oADgRDAE0AWQBLAAA/AMab0jc1BuFlZBd7JD4Cg7uc8SYnjnE1X0GLdq890qVLG7uAWcvkkSpODn',
    'EjJJwKbHo4m/dABdGUBQSQAYWPeA9kmOMDvrnLWlJK9SeAMk8Ue0zjUBmuOxxtLZZl55Ge7yotv8K9c3m61zcSLjANzGOMeIx0iqraZblpAgUK',
    'QFIkgkDjIM/6afs6WUEjp8pol3UhLjLuOD0Ymik2VMC8bfuowAFbpokKy9i27cFriyT8zVG3omNsHafKufsW1A3LEsJ7ROKlIoZCts7VufpvdJ',
    'gRIJM5jmOufjTYTKk5ZfzbaJY0BBLOpIQxKrE9+P8AvwqlacktAAJI4ETxTykXbV2VJJKyswT/ALnv55rC21RlIABzmPrw8qesaDb6vkLBzzTg',
    'Ijt7i3Xsg/3Ta2CVG68xbrABz5Vmf2qI6Uz93j2LK7ekzP8AdRbRwMCVzNTFudhCVXeBumPEYj6xEVuFjvij6fTpPXYSF292OafsRJEdTmnbah',
    'Xe3ncu47xgx3V48A/xTQtg21foQOyePrNMG0pPWmxobQAy3yNcG/259IF29Xp9KEk7QysSB4mRNFDYEgExX//Z',
  ),
};

interface Written {
  readonly width: number;
  readonly height: number;
  readonly components?: number;
  /** Components in the scan. Left out: all of them. */
  readonly scanned?: number;
  /** Units between two marks to begin again. */
  readonly interval?: number;
}

const segment = (marker: number, ...body: readonly number[]): readonly number[] => [
  ...[0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255],
  ...body,
];
const word = (value: number): readonly number[] => [value >> 8, value & 255];
const counts = (...first: readonly number[]): readonly number[] => [...first, ...Array(16 - first.length).fill(0)];

/**
 * A picture of one colour whose every block has the bits `0` (no distance from the block before) and `0` (no other value).
 */
export function plainJpeg({
  width,
  height,
  components = 1,
  scanned = components,
  interval = 0,
}: Written): Uint8Array<ArrayBuffer> {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const ids = Array.from({ length: components }, (_, index) => index + 1);
  const head = [
    ...[0xff, 0xd8],
    ...segment(0xdb, 0, ...Array<number>(64).fill(1)),
    ...segment(0xc0, 8, ...word(height), ...word(width), components, ...ids.flatMap((id) => [id, 0x11, 0])),
    ...segment(0xc4, 0x00, ...counts(1, 1), 0, 3, 0x10, ...counts(1, 1), 0, 1),
    ...(interval > 0 ? segment(0xdd, ...word(interval)) : []),
    ...segment(0xda, scanned, ...ids.slice(0, scanned).flatMap((id) => [id, 0x00]), 0, 63, 0),
  ];
  const each = interval > 0 ? interval : blocks;
  const parts: Uint8Array[] = [Uint8Array.from(head)];
  for (let at = 0, mark = 0; at < blocks; at += each) {
    if (at > 0) parts.push(Uint8Array.of(0xff, 0xd0 + (mark++ & 7)));
    const bits = Math.min(each, blocks - at) * 2 * scanned;
    const bytes = new Uint8Array(Math.ceil(bits / 8));
    if (bits % 8 > 0) bytes[bytes.length - 1] = 0xff >> (bits % 8);
    parts.push(bytes);
  }
  parts.push(Uint8Array.of(0xff, 0xd9));
  return joined(parts);
}
