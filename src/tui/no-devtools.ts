// Stands in for react-devtools-core in the bundle: Ink imports it, herd never connects to it.
export default {};
