/** `import()` for the bundle, which has none: its code is compiled ahead. */
module.exports.load = (url) => import(url);
