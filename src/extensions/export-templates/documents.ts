import {
  attribute,
  bareInJson,
  boolean,
  content,
  document,
  element,
  lazy,
  list,
  oneOf,
  type Structure,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';

const text = structure(
  'ExportTemplateTextContent',
  {
    text: content(string).says('A script between "{{" and "}}" is replaced by its value.'),
    scripttags: attribute(boolean).says('False: "{{" has no special meaning.'),
  },
  bareInJson,
);

type Inner = readonly TemplateNode[] | undefined;

/** Element of a template. Declared before the descriptions, which refer to each other. */
export interface TemplateNode {
  readonly path?: string | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly dependency?: readonly string[] | undefined;
  readonly filter?: string | undefined;
  readonly pre?: string | undefined;
  readonly preRender?: string | undefined;
  readonly archive?: Inner;
  readonly collection?: Inner;
  readonly component?: Inner;
  readonly componentfile?: Inner;
  readonly compress?: Inner;
  readonly dummy?: Inner;
  readonly external?: Inner;
  readonly folder?: Inner;
  readonly item?: Inner;
  readonly iterate?: Inner;
  readonly library?: Inner;
  readonly sequence?: Inner;
  readonly shape?: Inner;
  readonly text?: Inner;
  /** Only in an element `iterate`. */
  readonly value?: readonly string[] | undefined;
  /** Only in an element `item`. */
  readonly itemId?: readonly string[] | undefined;
  /** Only in an element `shape`. */
  readonly shapeTag?: string | undefined;
  readonly generate?: boolean | undefined;
  /** Only in an element `text`. */
  readonly content?: Value<typeof text> | undefined;
  readonly script?: string | undefined;
  readonly xslt?: string | undefined;
  readonly charset?: string | undefined;
  /** Only in elements `archive` and `compress`. */
  readonly method?: string | undefined;
}

const common = {
  tag: list(string).says('Names for dependencies and checksums.'),
  dependency: list(string).says('Tags of elements that are processed before this one.'),
  filter: element(string).says('A script. If its value is false, the element is skipped.'),
  pre: element(string).says('A script that runs before the other scripts of the element.'),
  preRender: element(string),
};
const path = attribute(string).says('Name of the file, or of the folder for the child elements.');
const ids = list(string);
const script = list(string);

const archive = structure('ExportTemplateArchive', {
  ...common,
  ...branches(),
  path,
  method: attribute(oneOf('ZIP', 'TAR')).says('Default: ZIP. No export of this service makes TAR.'),
});
const collection = structure('ExportTemplateCollection', { ...common, collectionId: ids, ...branches(), path });
const component = structure('ExportTemplateComponent', { ...common, ...branches(), path });
const componentFile = structure('ExportTemplateComponentFile', { ...common, ...branches(), path });
const compress = structure('ExportTemplateCompress', {
  ...common,
  ...branches(),
  path,
  method: attribute(oneOf('GZ', 'BZIP2')).says('Default: GZ. No export of this service makes BZIP2.'),
});
const dummy = structure('ExportTemplateDummy', { ...common, ...branches(), path });
const external = structure('ExportTemplateExternal', { ...common, uri: list(string), ...branches(), path });
const folder = structure('ExportTemplateFolder', { ...common, ...branches(), path });
const item = structure('ExportTemplateItem', { ...common, itemId: ids, ...branches(), path });
const iterate = structure('ExportTemplateIterate', {
  ...common,
  value: script.says('A script. The child elements are repeated for each of its values, which they read as "value".'),
  ...branches(),
  path,
});
const library = structure('ExportTemplateLibrary', { ...common, libraryId: ids, ...branches(), path });
const sequence = structure('ExportTemplateSequence', { ...common, generate: element(boolean), ...branches(), path });
const shape = structure('ExportTemplateShape', {
  ...common,
  shapeTag: element(string).says('The shapes with this tag. Without it: all shapes of the item.'),
  generate: element(boolean).says('A missing shape fails the job. Transcode it first.'),
  ...branches(),
  path,
});
const textFile = structure('ExportTemplateText', {
  ...common,
  content: element(text).says('Content of the file.'),
  script: element(string).says('A script whose value is the content of the file.'),
  xslt: element(string).says('A stylesheet that transforms the metadata of the item into the content of the file.'),
  ...branches(),
  path,
  charset: attribute(string).says('Only UTF-8 is supported.'),
});

/** The elements that an element can have in it. */
function branches() {
  return {
    archive: list(lazy((): Structure<TemplateNode> => archive)),
    collection: list(lazy((): Structure<TemplateNode> => collection)),
    component: list(lazy((): Structure<TemplateNode> => component)),
    componentfile: list(lazy((): Structure<TemplateNode> => componentFile)),
    compress: list(lazy((): Structure<TemplateNode> => compress)),
    dummy: list(lazy((): Structure<TemplateNode> => dummy)),
    external: list(lazy((): Structure<TemplateNode> => external)),
    folder: list(lazy((): Structure<TemplateNode> => folder)),
    item: list(lazy((): Structure<TemplateNode> => item)),
    iterate: list(lazy((): Structure<TemplateNode> => iterate)),
    library: list(lazy((): Structure<TemplateNode> => library)),
    sequence: list(lazy((): Structure<TemplateNode> => sequence)),
    shape: list(lazy((): Structure<TemplateNode> => shape)),
    text: list(lazy((): Structure<TemplateNode> => textFile)),
  };
}

const template: Structure<TemplateNode> = structure('ExportTemplateType', { ...common, ...branches(), path });

/** A tree that says what files an export makes. Elements that are not listed are kept as they were sent. */
export const exportTemplateDocument = document('ExportTemplateDocument', template);
