<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Header</name>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServerWay</name>
    <message numerus="yes">
        <source>%n server(s) found</source>
        <translation>
            <numerusform>%n server found</numerusform>
            <numerusform>%n servers found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SessionNotices</name>
    <message numerus="yes">
        <source>The session has grown long: %n older message(s) went to the model as a summary.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The session has grown long: %n older message(s) were not sent to the model.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
</TS>
