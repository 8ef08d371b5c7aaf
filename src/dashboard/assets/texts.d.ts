/** The text of the style sheet. */
export const STYLE: string;

/** The scripts that improve pages which also work without them, as one module. */
export const SCRIPT: string;

/** The text of the icon. */
export const ICON: string;

/** The typeface: Geist, variable in weight, Latin letters, as woff2 (SIL Open Font License 1.1). */
export const SANS: ArrayBuffer;

/** PNG: for tabs (32 px), for home screens (180 px), and for link previews (1,200 by 630). */
export const PICTURES: Readonly<Record<'favicon' | 'touchIcon' | 'preview', ArrayBuffer>>;
