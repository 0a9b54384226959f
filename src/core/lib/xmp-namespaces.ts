/** Namespaces of XMP by the prefixes that names of properties have. A file may call them otherwise. */
export const xmpNamespaces: ReadonlyMap<string, string> = new Map([
  ['dc', 'http://purl.org/dc/elements/1.1/'],
  ['xmp', 'http://ns.adobe.com/xap/1.0/'],
  ['xmpRights', 'http://ns.adobe.com/xap/1.0/rights/'],
  ['xmpMM', 'http://ns.adobe.com/xap/1.0/mm/'],
  ['xmpDM', 'http://ns.adobe.com/xmp/1.0/DynamicMedia/'],
  ['photoshop', 'http://ns.adobe.com/photoshop/1.0/'],
  ['lr', 'http://ns.adobe.com/lightroom/1.0/'],
  ['pdf', 'http://ns.adobe.com/pdf/1.3/'],
  ['exif', 'http://ns.adobe.com/exif/1.0/'],
  ['exifEX', 'http://cipa.jp/exif/1.0/'],
  ['tiff', 'http://ns.adobe.com/tiff/1.0/'],
  ['Iptc4xmpCore', 'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/'],
  ['Iptc4xmpExt', 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/'],
  ['plus', 'http://ns.useplus.org/ldf/xmp/1.0/'],
  ['cc', 'http://creativecommons.org/ns#'],
]);
