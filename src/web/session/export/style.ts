/** The style of an exported session: the page's own colours, few rules. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#fafaf8;--surface:#fff;--line:#e3e3dd;--text:#1c2228;--quiet:#5d6771;--need:#8f5a00;--error:#b3322a;--add:#e2f4e9;--del:#fbe6e4;--add-b:#b5e3c6;--del-b:#f3c3be}
@media (prefers-color-scheme:dark){:root{--bg:#0d1014;--surface:#13181e;--line:#252d36;--text:#dde4ec;--quiet:#8f9ba8;--need:#f0b545;--error:#f47a72;--add:#10271b;--del:#2c1614;--add-b:#1d5436;--del-b:#66291f}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:13px/1.5 ui-sans-serif,system-ui,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1100px;margin:0 auto;padding:20px 16px 60px}
h1{font-size:18px;margin:0}h1 small{font-size:13px;font-weight:400;color:var(--quiet)}h2{font-size:14px;margin:28px 0 8px}h3{font-size:13px;margin:0;color:var(--quiet);font-weight:600}
p{margin:4px 0;white-space:pre-wrap;overflow-wrap:anywhere}header p,footer{color:var(--quiet)}footer{margin-top:40px}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(110px,1fr));gap:12px;margin:16px 0}dl div{border-left:2px solid var(--line);padding-left:9px}dt{color:var(--quiet)}dd{margin:0;font-size:16px;font-weight:600}
table{width:100%;border-collapse:collapse}th,td{text-align:left;padding:3px 10px 3px 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}td:first-child,td:last-child{white-space:nowrap}
tr.error td:nth-child(3){color:var(--error)}tr.need td:nth-child(3){color:var(--need)}
summary{cursor:pointer;padding:4px 0}.file{border:1px solid var(--line);border-radius:8px;background:var(--surface);margin-bottom:10px;overflow:hidden}.file summary{padding:6px 10px;color:var(--quiet)}.file summary b{color:var(--text);font-family:ui-monospace,monospace}
pre{margin:4px 0;padding:6px 0;font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
article pre{padding:6px 10px;border:1px solid var(--line);border-radius:6px;background:var(--surface)}
pre i{display:block;font-style:normal;padding:0 10px}pre .add{background:var(--add)}pre .del{background:var(--del)}pre .add b{background:var(--add-b);font-weight:inherit}pre .del b{background:var(--del-b);font-weight:inherit}pre .fold{color:var(--quiet)}
article{padding:8px 12px;border-left:2px solid var(--line);margin-bottom:8px}article.user{border-color:currentColor}
`
