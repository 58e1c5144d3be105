import { chromium } from "playwright-core";
import { execSync } from "node:child_process";
const env={...process.env, SCRUBJAY_HOME:"/dev/shm/page/home", HOME:"/dev/shm/page/h"};
const url=execSync("/work/wt/page/.venv/bin/scrubjay open --print",{env}).toString().trim().split("\n").at(-1);
const [width,height,lang,out,hash,...keys]=process.argv.slice(2);
const b=await chromium.launch({executablePath:"/usr/bin/chromium-headless-shell",args:["--no-sandbox"]});
const c=await b.newContext({viewport:{width:+width,height:+height},locale:lang});
const p=await c.newPage(); await p.goto(url.match(/http\S+/)[0]); await p.locator(".page-head").waitFor();
if(hash) { await p.evaluate(h=>{location.hash=h},hash); await p.waitForTimeout(1500); }
for (const k of keys) { if(k.startsWith("type:")) await p.keyboard.type(k.slice(5)); else if(k.startsWith("wait:")) await p.waitForTimeout(+k.slice(5)); else if(k.startsWith("click:")) await p.locator(k.slice(6)).first().click(); else await p.keyboard.press(k); await p.waitForTimeout(300);}
await p.waitForTimeout(400);
await p.screenshot({path:out}); await b.close();
