"""Hand-written pieces of LLVM text that `llvm` includes.

Metadata numbers below `FIRST_KIND` are assigned here, the others by `llvm`.
"""

from __future__ import annotations

DECLARED = """declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare double @llvm.sqrt.f64(double)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.ssub.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
"""

NTH_BIT = """define internal i64 @nth_bit(i64 %a, i64 %n) alwaysinline nounwind {
entry:
  %most = and i64 %n, 63
  br label %loop
loop:
  %left = phi i64 [ %most, %entry ], [ %less, %drop ]
  %set = phi i64 [ %a, %entry ], [ %rest, %drop ]
  %done = icmp eq i64 %left, 0
  br i1 %done, label %end, label %drop
drop:
  %less = sub i64 %left, 1
  %below = sub i64 %set, 1
  %rest = and i64 %set, %below
  br label %loop
end:
  %r = call i64 @llvm.cttz.i64(i64 %set, i1 false)
  ret i64 %r
}
"""
NTH_BIT_PDEP = """declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
define internal i64 @nth_bit(i64 %a, i64 %n) alwaysinline nounwind {
  %most = and i64 %n, 63
  %bit = shl i64 1, %most
  %found = call i64 @llvm.x86.bmi.pdep.64(i64 %bit, i64 %a)
  %r = call i64 @llvm.cttz.i64(i64 %found, i1 false)
  ret i64 %r
}
"""
"""The same with one instruction, for processors where it is fast."""
COPYING = """
define hidden ptr @memcpy(ptr noalias %to, ptr noalias %from, i64 %size) nounwind "no-builtins" {
entry:
  %wide = and i64 %size, -32
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %after, %loop ]
  %more = icmp ult i64 %i, %wide
  br i1 %more, label %loop, label %rest
loop:
  %source = getelementptr i8, ptr %from, i64 %i
  %target = getelementptr i8, ptr %to, i64 %i
  %part = load <4 x i64>, ptr %source, align 1
  store <4 x i64> %part, ptr %target, align 1
  %after = add i64 %i, 32
  br label %test
rest:
  %words = and i64 %size, -8
  br label %test.1
test.1:
  %j = phi i64 [ %wide, %rest ], [ %after.1, %word ]
  %more.1 = icmp ult i64 %j, %words
  br i1 %more.1, label %word, label %test.2
word:
  %source.1 = getelementptr i8, ptr %from, i64 %j
  %target.1 = getelementptr i8, ptr %to, i64 %j
  %part.1 = load i64, ptr %source.1, align 1
  store i64 %part.1, ptr %target.1, align 1
  %after.1 = add i64 %j, 8
  br label %test.1, !llvm.loop !2
test.2:
  %k = phi i64 [ %words, %test.1 ], [ %after.2, %byte ]
  %more.2 = icmp ult i64 %k, %size
  br i1 %more.2, label %byte, label %done
byte:
  %source.2 = getelementptr i8, ptr %from, i64 %k
  %target.2 = getelementptr i8, ptr %to, i64 %k
  %part.2 = load i8, ptr %source.2
  store i8 %part.2, ptr %target.2
  %after.2 = add i64 %k, 1
  br label %test.2, !llvm.loop !2
done:
  ret ptr %to
}
define hidden ptr @memmove(ptr %to, ptr %from, i64 %size) nounwind "no-builtins" {
entry:
  %t = ptrtoint ptr %to to i64
  %f = ptrtoint ptr %from to i64
  %ahead = sub i64 %t, %f
  %overlap = icmp ult i64 %ahead, %size
  br i1 %overlap, label %back, label %forth
back:
  %k = phi i64 [ %size, %entry ], [ %last, %backward ]
  %any = icmp ne i64 %k, 0
  br i1 %any, label %backward, label %done
backward:
  %last = sub i64 %k, 1
  %source = getelementptr i8, ptr %from, i64 %last
  %target = getelementptr i8, ptr %to, i64 %last
  %part = load i8, ptr %source
  store i8 %part, ptr %target
  br label %back, !llvm.loop !2
forth:
  %j = phi i64 [ 0, %entry ], [ %next, %forward ]
  %left = icmp ult i64 %j, %size
  br i1 %left, label %forward, label %done
forward:
  %source.1 = getelementptr i8, ptr %from, i64 %j
  %target.1 = getelementptr i8, ptr %to, i64 %j
  %part.1 = load i8, ptr %source.1
  store i8 %part.1, ptr %target.1
  %next = add i64 %j, 1
  br label %forth, !llvm.loop !2
done:
  ret ptr %to
}
define hidden ptr @memset(ptr %to, i32 %value, i64 %size) nounwind "no-builtins" {
entry:
  %part = trunc i32 %value to i8
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %byte ]
  %more = icmp ult i64 %i, %size
  br i1 %more, label %byte, label %done
byte:
  %target = getelementptr i8, ptr %to, i64 %i
  store i8 %part, ptr %target
  %next = add i64 %i, 1
  br label %test, !llvm.loop !2
done:
  ret ptr %to
}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.disable"}
"""
"""LLVM turns loops that copy or fill into these calls; defining them keeps an object self-contained. States
are copied in wide pieces. Unrolling is disabled, because it took a tenth of LLVM's time and gained
nothing."""

METADATA = """!0 = !{}
!1 = !{!"branch_weights", i32 1, i32 4000}
"""

FIRST_KIND = 20
"""First metadata number of memory kinds."""
